//! A connection whose other side has to read what it is told.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream that fails when nothing can be written to it for a while.
pub struct Patient<S> {
    stream: S,
    patience: Duration,
    /// Runs while something waits to be written.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S: AsyncWrite + Unpin> Patient<S> {
    pub fn new(stream: S, patience: Duration) -> Patient<S> {
        Patient { stream, patience, waiting: None }
    }

    /// Does something that may have to wait for the other side.
    fn within_time<T>(
        &mut self,
        context: &mut Context<'_>,
        act: impl FnOnce(Pin<&mut S>, &mut Context<'_>) -> Poll<Result<T>>,
    ) -> Poll<Result<T>> {
        let done = act(Pin::new(&mut self.stream), context);
        if done.is_ready() {
            self.waiting = None;
            return done;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(sleep(patience)));
        waiting.as_mut().poll(context).map(|()| Err(Error::from(ErrorKind::TimedOut)))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        self.within_time(context, |stream, context| stream.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        self.within_time(context, |stream, context| stream.poll_write_vectored(context, parts))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        self.within_time(context, |stream, context| stream.poll_flush(context))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        self.within_time(context, |stream, context| stream.poll_shutdown(context))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn whoever_does_not_read_is_left_and_slow_readers_are_not() {
        const PATIENCE: Duration = Duration::from_millis(500);
        let (mut reader, writer) = duplex(10);
        let mut writer = Patient::new(writer, PATIENCE);
        let slow = tokio::spawn(async move {
            let mut bytes = [0; 10];
            for _ in 0..9 {
                sleep(PATIENCE / 5).await;
                reader.read_exact(&mut bytes).await.unwrap();
            }
            reader
        });
        // This takes longer than the patience, but there is always something taken.
        writer.write_all(&[0; 100]).await.unwrap();
        let _reader = slow.await.unwrap();
        let start = tokio::time::Instant::now();
        let error = writer.write_all(&[0; 100]).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert!(start.elapsed() >= PATIENCE);
    }
}

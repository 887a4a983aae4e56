//! Numbered tasks side by side, such as the games of a match: each thread takes the next one, and its result
//! is reported on the thread of the caller.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{NoThreads, stage};

/// Tasks, and who does them.
pub struct Tasks<'t, W, T> {
    /// How many threads there are, if there are as many tasks.
    pub threads: usize,
    /// No task is begun any more when this is set, by anybody.
    pub stop: &'t AtomicBool,
    /// Makes what a thread works with.
    pub worker: &'t (dyn Fn() -> anyhow::Result<W> + Sync),
    /// Does the task of that number; nothing comes of one that was stopped.
    pub work: &'t (dyn Fn(&mut W, usize) -> anyhow::Result<Option<T>> + Sync),
}

/// Where the number of the next task comes from; it may have to be waited for.
pub type Next<'n> = dyn Fn() -> Option<usize> + Sync + 'n;

/// Does tasks somewhere else until there are none left, and hands over what came of them.
pub type Elsewhere<'e, T> = dyn Fn(&mut dyn FnMut(usize, T)) -> anyhow::Result<()> + Sync + 'e;

impl<W, T: Send> Tasks<'_, W, T> {
    /// Does the tasks of these numbers, each once, or those until the stop. They are reported in the order in
    /// which they end.
    ///
    /// After an error of a task, of a worker or of the report, `stop` is set and nothing more is reported.
    /// The first error is the answer.
    pub fn run(
        &self,
        numbers: impl IntoIterator<Item = usize>,
        report: &mut dyn FnMut(usize, T) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let queue: VecDeque<usize> = numbers.into_iter().collect();
        let threads = self.threads.clamp(1, queue.len().max(1));
        let queue = Mutex::new(queue);
        let next = || queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop_front();
        Tasks { threads, ..*self }.run_with(&next, None, report)
    }

    /// The same with numbers from anywhere. Some tasks may be done elsewhere meanwhile.
    pub fn run_with(
        &self,
        next: &Next<'_>,
        elsewhere: Option<&Elsewhere<'_, T>>,
        report: &mut dyn FnMut(usize, T) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let threads = self.threads.max(1);
        let (send, receive) = stage::channel();
        stage::scope(|scope| {
            let works = (0..threads + usize::from(elsewhere.is_some())).map(|number| {
                let (send, elsewhere) = (send.clone(), elsewhere.filter(|_| number == threads));
                move || {
                    let worked = match elsewhere {
                        None => self.work_off(next, &send),
                        // The receiver stays until all threads have ended.
                        Some(elsewhere) => elsewhere(&mut |number, done| drop(send.send(Ok((number, done))))),
                    };
                    if let Err(error) = worked {
                        // The receiver stays until all threads have ended.
                        let _ = send.send(Err(error));
                    }
                }
            });
            let started = stage::spawn_all(scope, works).map(|_| ());
            // The end of the last thread is the end of the messages.
            drop(send);
            started.map_err(too_many)?;
            let mut failure = None;
            while let Some(done) = stage::next(&receive) {
                let reported = match failure {
                    None => done.and_then(|(number, result)| report(number, result)),
                    Some(_) => Ok(()),
                };
                if let Err(error) = reported {
                    self.stop.store(true, Ordering::Relaxed);
                    failure.get_or_insert(error);
                }
            }
            failure.map_or(Ok(()), Err)
        })
    }

    /// One thread.
    fn work_off(
        &self,
        next: &Next<'_>,
        send: &stage::Sender<anyhow::Result<(usize, T)>>,
    ) -> anyhow::Result<()> {
        let mut worker = (self.worker)()?;
        while !self.stop.load(Ordering::Relaxed) {
            let Some(number) = next() else { break };
            if let Some(result) = (self.work)(&mut worker, number)? {
                // The receiver stays until all threads have ended.
                let _ = send.send(Ok((number, result)));
            }
        }
        Ok(())
    }
}

/// Puts results into the order of their numbers: those that come early wait.
pub struct InOrder<T> {
    order: VecDeque<usize>,
    early: BTreeMap<usize, T>,
}

impl<T> InOrder<T> {
    /// Results of these numbers.
    pub fn new(numbers: impl IntoIterator<Item = usize>) -> InOrder<T> {
        InOrder { order: numbers.into_iter().collect(), early: BTreeMap::new() }
    }

    /// Takes a result, and reports those whose turn it is.
    pub fn take(
        &mut self,
        number: usize,
        result: T,
        report: &mut dyn FnMut(usize, T) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.early.insert(number, result);
        while let Some(entry) = self.order.front().and_then(|number| self.early.remove_entry(number)) {
            self.order.pop_front();
            report(entry.0, entry.1)?;
        }
        Ok(())
    }

    /// Reports the others: after a stop some are missing.
    pub fn finish(self, report: &mut dyn FnMut(usize, T) -> anyhow::Result<()>) -> anyhow::Result<()> {
        self.early.into_iter().try_for_each(|(number, result)| report(number, result))
    }
}

fn too_many(error: NoThreads) -> anyhow::Error {
    let NoThreads { wanted, started, reason } = error;
    anyhow::anyhow!(
        "only {started} of {wanted} threads can be started here ({reason}); choose a smaller `--concurrency`"
    )
}

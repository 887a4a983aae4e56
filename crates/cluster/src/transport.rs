//! What carries bytes between the ranks of a job.

/// A process of the job; they are numbered from 0, and 0 talks to people.
pub type Rank = u32;

/// A rank that cannot be reached, or a network that does not work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Lost(pub String);

/// Carries bytes between ranks.
///
/// A transport promises that nothing is lost or changed and that what one rank sends to another arrives in
/// the order in which it was sent. No call waits for another rank.
pub trait Transport: Send {
    /// Which process this is.
    fn rank(&self) -> Rank;

    /// How many there are.
    fn size(&self) -> u32;

    /// The name of the machine this process runs on.
    fn host(&self) -> String;

    /// What carries the bytes, with its version.
    fn library(&self) -> String;

    /// Sends bytes; they may be on their way for a while.
    fn send(&mut self, to: Rank, bytes: Vec<u8>) -> Result<(), Lost>;

    /// What has arrived next, if anything has.
    fn receive(&mut self) -> Result<Option<(Rank, Vec<u8>)>, Lost>;

    /// Waits until everything that was sent has left; after it nothing may be sent.
    fn close(&mut self) -> Result<(), Lost>;

    /// Ends all processes of the job with an exit code.
    fn abort(&mut self, code: i32);
}

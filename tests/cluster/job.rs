//! Jobs: how they are started, watched and compared.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_multigame");

/// Whether it was built with MPICH, which spins where there are more ranks than cores; otherwise it is Open
/// MPI.
pub const IS_MPICH: bool = matches!(option_env!("MPI_PKG_CONFIG"), Some(name) if !is_open_mpi(name));

const fn is_open_mpi(name: &str) -> bool {
    matches!(name.as_bytes(), b"ompi" | b"ompi-c")
}

/// This many ranks, or as many as the library runs well on two cores.
pub fn many(ranks: u32) -> u32 {
    if IS_MPICH { ranks.min(2) } else { ranks }
}

/// One job at a time: several would fight for the cores, and those that measure time would lose.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The launcher of the library that the program was built with.
pub fn launcher() -> Command {
    let names: &[&str] = if IS_MPICH { &["mpirun.mpich", "mpirun"] } else { &["mpirun.openmpi", "mpirun"] };
    let mpirun = names.iter().find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    let mut command = Command::new(mpirun.expect("`tests/setup` installs Open MPI and MPICH"));
    if !IS_MPICH {
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command.args(["--oversubscribe", "--mca", "mpi_yield_when_idle", "1"]);
    }
    command
}

/// A job of this many ranks.
pub fn job(ranks: u32, arguments: &[&str]) -> Command {
    let mut command = launcher();
    command.args(["-n", &ranks.to_string(), PROGRAM]).args(arguments);
    command
}

/// Runs a job to its end.
pub fn run(ranks: u32, arguments: &[&str]) -> Output {
    let _alone = alone();
    job(ranks, arguments).output().expect("the launcher runs")
}

/// What a command that succeeded has printed.
pub fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What one process prints.
pub fn one_process(arguments: &[&str]) -> String {
    stdout(&Command::new(PROGRAM).args(arguments).output().expect("the program runs"))
}

/// A printed value.
pub fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// A job that is running, with a mark by which its processes are found.
pub struct Running {
    launcher: Child,
    mark: String,
    lines: Arc<Mutex<Vec<(Instant, String)>>>,
    readers: Vec<JoinHandle<()>>,
    errors: Arc<Mutex<String>>,
    _alone: MutexGuard<'static, ()>,
}

/// What became of a job.
pub struct Ended {
    /// From the disturbance to the end of the launcher and everything else.
    pub time: Duration,
    /// From the disturbance to the end of all ranks.
    pub ranks: Duration,
    pub status: ExitStatus,
    /// What was printed, and how long after the disturbance.
    pub lines: Vec<(Duration, String)>,
    pub stderr: String,
}

impl Running {
    /// Starts a job. It has printed a first line when it is there.
    pub fn start(mut command: Command, name: &str) -> Running {
        let alone = alone();
        let mark = format!("multigame-test-{}-{name}", std::process::id());
        let command = command.env("MULTIGAME_TEST", &mark);
        let mut launcher =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the launcher runs");
        let (lines, errors) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(String::new())));
        let (stdout, stderr) = (launcher.stdout.take().unwrap(), launcher.stderr.take().unwrap());
        let (told, wrong) = (lines.clone(), errors.clone());
        let readers = vec![
            std::thread::spawn(move || {
                let lines = BufReader::new(stdout).lines().map_while(Result::ok);
                lines.for_each(|line| told.lock().unwrap().push((Instant::now(), line)));
            }),
            std::thread::spawn(move || {
                let lines = BufReader::new(stderr).lines().map_while(Result::ok);
                lines.for_each(|line| *wrong.lock().unwrap() += &(line + "\n"));
            }),
        ];
        let running = Running { launcher, mark, lines, readers, errors, _alone: alone };
        for _ in 0..3000 {
            if !running.lines.lock().unwrap().is_empty() {
                return running;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("nothing was printed: {}", running.errors.lock().unwrap());
    }

    /// What was printed first.
    pub fn first_line(&self) -> String {
        self.lines.lock().unwrap()[0].1.clone()
    }

    /// The process of a rank.
    pub fn process_of(&self, rank: u32) -> u32 {
        let found = ranks_of(&self.mark).into_iter().find(|(_, number)| *number == rank.to_string());
        found.expect("the rank is running").0
    }

    /// The process of the launcher.
    pub fn launcher(&self) -> u32 {
        self.launcher.id()
    }

    /// Does something to the job and waits for its end; nothing of it may be left.
    pub fn disturb(mut self, disturb: impl FnOnce(&Running)) -> Ended {
        let start = Instant::now();
        disturb(&self);
        let mut ranks = None;
        let status = self.wait(Duration::from_secs(30), &mut |mark| {
            if ranks.is_none() && ranks_of(mark).is_empty() {
                ranks = Some(start.elapsed());
            }
        });
        // A host that was cut off needs a moment to notice.
        while !processes(&self.mark).is_empty() && start.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let time = start.elapsed();
        assert_eq!(processes(&self.mark).len(), 0, "nothing is left running");
        self.readers.drain(..).for_each(|reader| reader.join().unwrap());
        let lines = std::mem::take(&mut *self.lines.lock().unwrap()).into_iter();
        let lines = lines.map(|(time, line)| (time.saturating_duration_since(start), line)).collect();
        let stderr = self.errors.lock().unwrap().clone();
        Ended { time, ranks: ranks.unwrap_or(time), status, lines, stderr }
    }

    fn wait(&mut self, longest: Duration, look: &mut dyn FnMut(&str)) -> ExitStatus {
        let start = Instant::now();
        while start.elapsed() < longest {
            look(&self.mark);
            if let Some(status) = self.launcher.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the job did not end in {longest:?}: {}", self.errors.lock().unwrap());
    }
}

impl Drop for Running {
    /// Ends what a test that failed left behind.
    fn drop(&mut self) {
        let _ = self.launcher.kill();
        let _ = self.launcher.wait();
        for (process, _) in processes(&self.mark) {
            signal("-KILL", process);
        }
    }
}

/// Sends a signal to a process.
pub fn signal(signal: &str, process: u32) -> bool {
    Command::new("kill").args([signal, &process.to_string()]).status().unwrap().success()
}

/// The processes of ranks that have a mark in their environment, and which rank each is.
fn ranks_of(mark: &str) -> Vec<(u32, String)> {
    let rank = |environment: &[u8]| {
        ["OMPI_COMM_WORLD_RANK", "PMI_RANK"].iter().find_map(|name| variable(environment, name))
    };
    let marked = processes(mark).into_iter();
    marked.filter_map(|(process, environment)| Some((process, rank(&environment)?))).collect()
}

/// The processes that have a mark in their environment, and their environments; dead ones that nobody has
/// asked about yet have none.
fn processes(mark: &str) -> Vec<(u32, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(process) = entry.file_name().to_string_lossy().parse::<u32>() else { continue };
        let environment = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        if variable(&environment, "MULTIGAME_TEST").as_deref() == Some(mark) {
            found.push((process, environment));
        }
    }
    found
}

fn variable(environment: &[u8], name: &str) -> Option<String> {
    let mut parts = environment.split(|&byte| byte == 0);
    let value = parts.find_map(|part| part.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
    Some(String::from_utf8_lossy(value).into_owned())
}

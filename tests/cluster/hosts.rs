//! Three hosts on one machine: network namespaces with names of their own, joined by a bridge, talking over
//! TCP.
//!
//! All addresses are inside the namespaces, which vanish with the test. It needs root and `ip netns`; where
//! they are missing, a note says so. The launcher's daemons are started by a script in the place of ssh.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::job::{self, IS_MPICH, Running, alone, json, one_process, signal, stdout};

/// The hosts, with their addresses in this network.
const HOSTS: [&str; 3] = ["host-a", "host-b", "host-c"];
const NETWORK: &str = "10.77.0.0/24";

/// Hosts for as long as it lives.
struct Hosts {
    /// What the names of the namespaces begin with.
    prefix: String,
    /// The script in the place of ssh.
    agent: PathBuf,
}

fn ip(arguments: &str) -> bool {
    let mut command = Command::new("ip");
    let status = command.args(arguments.split(' ')).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

impl Hosts {
    /// Makes the hosts; nothing where that is not possible.
    fn new(name: &str) -> Option<Hosts> {
        if IS_MPICH {
            println!(
                "note: three hosts need three ranks, which MPICH runs badly on two cores; Open MPI tries them"
            );
            return None;
        }
        let prefix = format!("mg{}{name}", std::process::id());
        let agent = std::env::temp_dir().join(format!("{prefix}-agent"));
        let hosts = Hosts { prefix, agent };
        if !hosts.join() {
            println!(
                "note: network namespaces cannot be made here (root, `ip netns`), so several hosts are not \
                 tried"
            );
            return None;
        }
        hosts.write_agent();
        Some(hosts)
    }

    /// Makes the namespaces, and a switch between them.
    fn join(&self) -> bool {
        let Hosts { prefix, .. } = self;
        let switch = format!("{prefix}switch");
        let mut steps = vec![
            format!("netns add {switch}"),
            format!("-n {switch} link add br0 type bridge"),
            format!("-n {switch} link set br0 up"),
        ];
        for (number, host) in (1..).zip(HOSTS) {
            let host = format!("{prefix}{host}");
            steps.extend([
                format!("netns add {host}"),
                format!("-n {host} link set lo up"),
                format!("-n {switch} link add port{number} type veth peer name eth0 netns {host}"),
                format!("-n {switch} link set port{number} master br0 up"),
                format!("-n {host} addr add {}/24 dev eth0", address(number)),
                format!("-n {host} link set eth0 up"),
            ]);
        }
        steps.iter().all(|step| ip(step))
    }

    fn write_agent(&self) {
        let prefix = &self.prefix;
        let cases = (1..).zip(HOSTS).map(|(number, host)| format!("{}) host={host} ;;\n", address(number)));
        let cases: String = cases.collect();
        let script = format!(
            "#!/bin/sh\naddress=$1; shift\ncase $address in\n{cases}esac\nexec ip netns exec {prefix}$host \
             unshare --uts sh -c \"hostname $host; $*\"\n"
        );
        std::fs::write(&self.agent, script).unwrap();
        assert!(Command::new("chmod").arg("+x").arg(&self.agent).status().unwrap().success());
    }

    /// A job with a rank on each host; the launcher runs on the first.
    fn job(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("ip");
        command.args([
            "netns",
            "exec",
            &format!("{}{}", self.prefix, HOSTS[0]),
            "unshare",
            "--uts",
            "sh",
            "-c",
        ]);
        command.arg(format!("hostname {}; exec \"$@\"", HOSTS[0])).arg("sh");
        command.arg(job::launcher().get_program());
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command.args(["--mca", "plm_rsh_agent", self.agent.to_str().unwrap(), "--mca", "btl", "tcp,self"]);
        command.args(["--mca", "btl_tcp_if_include", NETWORK, "--mca", "oob_tcp_if_include", NETWORK]);
        // The launcher misses a host that is cut off as soon as its ranks do.
        for name in ["time", "intvl", "probes"] {
            command.args(["--mca", &format!("oob_tcp_keepalive_{name}"), "1"]);
        }
        let addresses: Vec<String> = (1..=HOSTS.len()).map(address).collect();
        command.args(["--mca", "mpi_yield_when_idle", "1", "--host", &addresses.join(","), "-n", "3"]);
        command.arg(job::PROGRAM).args(arguments);
        command
    }

    /// Runs a job to its end.
    fn run(&self, arguments: &[&str]) -> String {
        let _alone = alone();
        let output = Command::new("timeout").arg("120").arg("env").args(words(&self.job(arguments))).output();
        stdout(&output.unwrap())
    }

    /// The processes on a host.
    fn processes(&self, host: &str) -> Vec<u32> {
        let output = Command::new("ip").args(["netns", "pids", &format!("{}{host}", self.prefix)]).output();
        let text = String::from_utf8_lossy(&output.unwrap().stdout).into_owned();
        text.lines().map(|line| line.trim().parse().unwrap()).collect()
    }
}

/// A command with its variables, as words of another command.
fn words(command: &Command) -> Vec<std::ffi::OsString> {
    let variables = command.get_envs().filter_map(|(name, value)| {
        let mut word = name.to_os_string();
        word.push("=");
        word.push(value?);
        Some(word)
    });
    let program = [command.get_program().to_os_string()];
    variables.chain(program).chain(command.get_args().map(Into::into)).collect()
}

fn address(number: usize) -> String {
    NETWORK.replace("0/24", &number.to_string())
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for host in HOSTS.into_iter().chain(["switch"]) {
            for process in self.processes(host) {
                signal("-KILL", process);
            }
            ip(&format!("netns del {}{host}", self.prefix));
        }
        let _ = std::fs::remove_file(&self.agent);
    }
}

#[test]
fn three_hosts_find_what_one_process_finds() {
    let Some(hosts) = Hosts::new("s") else { return };
    let search = ["search", "othello", "--depth", "7", "--options", "depth-exact,repetition=off", "--json"];
    let found = json(&hosts.run(&search));
    assert_eq!(found["number"], json(&one_process(&search))["number"]);
    let names =
        found["threads"]["processes"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), ["rank 0 on `host-a`", "rank 1 on `host-b`", "rank 2 on `host-c`"]);

    let puzzle = ["search", "15-puzzle", "--position", crate::PUZZLE, "--depth", "80", "--json"];
    let alone = json(&one_process(&puzzle));
    let found = json(&hosts.run(&[&puzzle[..], &["--policy", "tds"]].concat()));
    assert_eq!(found["pv"].as_array().map(Vec::len), alone["pv"].as_array().map(Vec::len));

    let checked = json(&hosts.run(&["cluster", "check", "--json"]));
    assert_eq!(checked["pairs"].as_array().map(Vec::len), Some(3), "each pair of hosts: {checked}");
}

/// What ranks and launcher take to notice a lost host and to end the job: 5 seconds mostly, of which Open
/// MPI's launcher waits for up to four after rank 0 has ended the job; a busy machine takes longer.
const ENDED: Duration = Duration::from_secs(8);

/// A search of which the second host is lost; a message names the rank and the host. Where MPI returns no
/// more, rank 0 cannot tell which of the others is lost and names both. Open MPI's launcher may end before it
/// passes that on; then it has named the host itself.
fn lose(name: &str, how: impl FnOnce(&Hosts)) {
    let Some(hosts) = Hosts::new(name) else { return };
    let running = Running::start(hosts.job(&["search", "chess", "--time", "60"]), name);
    std::thread::sleep(Duration::from_millis(500));
    let ended = running.disturb(|_| how(&hosts));
    assert!(!ended.status.success(), "{}", ended.stderr);
    let mut lines = ended.stderr.lines();
    let named = lines.any(|line| line.contains("has not answered") && line.contains("rank 1 on `host-b`"));
    assert!(named || ended.stderr.contains(&address(2)), "{}", ended.stderr);
    assert!(ended.time < ENDED, "{:?}: {}", ended.time, ended.stderr);
    for host in HOSTS {
        assert_eq!(hosts.processes(host), [0u32; 0], "nothing is left running on {host}");
    }
}

#[test]
fn a_host_that_is_killed_ends_the_job() {
    lose("k", |hosts| {
        for process in hosts.processes(HOSTS[1]) {
            signal("-KILL", process);
        }
    });
}

#[test]
fn a_host_that_is_cut_off_ends_the_job() {
    lose("c", |hosts| assert!(ip(&format!("-n {}{} link set eth0 down", hosts.prefix, HOSTS[1]))));
}

//! `multigame cluster check`: where the ranks run, how fast messages are, and what looks wrong.

use std::io::Write;
use std::time::Duration;

use clap::Args;
use multigame_player::ranks::{Clock, Journey, Machine, Ranks};
use serde_json::json;

use crate::output;

/// Clocks on the wall that are further apart are wrong.
const APART: Duration = Duration::from_secs(1);
/// A pair of hosts is slow if it is this many times worse than usual.
const WORSE: f64 = 4.0;

/// Tell where the ranks run, how fast messages are, and what looks wrong.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The threads that each rank will have
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: u32,
    /// The size of the transposition table that each rank will have
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    table: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found out.
struct Findings<'r> {
    machines: &'r [Machine],
    hosts: Vec<Host<'r>>,
    /// From rank 0 to each other rank.
    reach: Vec<Option<Journey>>,
    /// Between hosts, and inside of those with several ranks: names and journey.
    pairs: Vec<(&'r str, &'r str, Journey)>,
    clocks: Vec<Clock>,
}

/// A machine on which ranks run.
struct Host<'r> {
    name: &'r str,
    ranks: Vec<u32>,
    /// Cores that its ranks may use.
    cores: u32,
    free_mib: u64,
}

/// Tells about the cluster.
pub fn run(ranks: &Ranks, arguments: &Arguments) -> anyhow::Result<()> {
    let findings = Findings::of(ranks)?;
    let warnings = findings.warnings(arguments);
    if arguments.json {
        return output::json(&json!({
            "ranks": findings.ranks_json(),
            "pairs": findings.pairs_json(),
            "warnings": warnings,
        }));
    }
    let mut out = std::io::stdout().lock();
    findings.print(&mut out)?;
    for warning in warnings {
        writeln!(out, "warning: {warning}")?;
    }
    Ok(())
}

/// The machines on which ranks run, in the order of their first ranks.
fn hosts_of(machines: &[Machine]) -> Vec<Host<'_>> {
    let mut hosts: Vec<Host<'_>> = Vec::new();
    for (rank, machine) in (0..).zip(machines) {
        match hosts.iter_mut().find(|host| host.name == machine.host) {
            Some(host) => host.ranks.push(rank),
            None => {
                let (name, free_mib) = (machine.host.as_str(), machine.free_mib);
                hosts.push(Host { name, ranks: vec![rank], cores: 0, free_mib });
            }
        }
    }
    for host in &mut hosts {
        host.cores = cores_of(host.ranks.iter().map(|&rank| &machines[rank as usize]));
    }
    hosts
}

/// The cores that ranks on one host may use together: launchers can give each of them another one.
fn cores_of<'m>(ranks: impl Iterator<Item = &'m Machine> + Clone) -> u32 {
    // Where all cores are allowed there can still be a limit to their use.
    let limited = ranks.clone().any(|machine| (machine.cores as usize) < machine.core_numbers.len());
    let most = ranks.clone().map(|machine| machine.cores).max().unwrap_or_default();
    let mut numbers: Vec<u32> = ranks.flat_map(|machine| machine.core_numbers.iter().copied()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if limited { most } else { most.max(numbers.len() as u32) }
}

impl<'r> Findings<'r> {
    fn of(ranks: &'r Ranks) -> anyhow::Result<Findings<'r>> {
        let machines = ranks.machines();
        let hosts = hosts_of(machines);
        let reach = (0..ranks.size()).map(|rank| (rank > 0).then(|| ranks.journey(0, rank)).transpose());
        let reach = reach.collect::<anyhow::Result<Vec<_>>>()?;
        let mut pairs = Vec::new();
        for (number, host) in hosts.iter().enumerate() {
            let first = host.ranks[0];
            let within = host.ranks.get(1).map(|&second| (host.name, second));
            let others = hosts[number + 1..].iter().map(|other| (other.name, other.ranks[0]));
            for (name, other) in within.into_iter().chain(others) {
                let known = reach[other as usize].filter(|_| first == 0);
                let journey = known.map_or_else(|| ranks.journey(first, other), Ok)?;
                pairs.push((host.name, name, journey));
            }
        }
        Ok(Findings { machines, hosts, reach, pairs, clocks: ranks.clocks()? })
    }

    /// The largest table of each of a host's ranks, in MiB.
    fn table_mib(&self, machine: &Machine) -> u64 {
        let host = self.hosts.iter().find(|host| host.name == machine.host);
        host.map_or(0, |host| host.free_mib / host.ranks.len() as u64)
    }

    /// What looks wrong.
    fn warnings(&self, arguments: &Arguments) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.machines.iter().any(|machine| machine.debug) {
            warnings.push("this is a debug build; build it with `--release`".to_string());
        }
        for host in &self.hosts {
            self.warn_of_host(host, arguments, &mut warnings);
        }
        for (rank, clock) in self.clocks.iter().enumerate() {
            if Duration::from_nanos(clock.wall.unsigned_abs()) > APART {
                let (host, seconds) = (&self.machines[rank].host, clock.wall as f64 * 1e-9);
                warnings
                    .push(format!("the clock of `{host}` is {seconds:+.1} s off rank 0's; set it by NTP"));
            }
        }
        self.warn_of_pairs(&mut warnings);
        warnings
    }

    fn warn_of_host(&self, host: &Host<'_>, arguments: &Arguments, warnings: &mut Vec<String>) {
        let (name, count, cores) = (host.name, host.ranks.len() as u64, host.cores);
        let threads = count * u64::from(arguments.threads);
        let bound = host.ranks.iter().find(|&&rank| self.machines[rank as usize].cores < arguments.threads);
        if threads > u64::from(cores) {
            warnings.push(format!(
                "`{name}` has {cores} cores for {threads} threads of {count} ranks; start fewer"
            ));
        } else if let Some(&rank) = bound {
            let own = self.machines[rank as usize].cores;
            warnings.push(format!(
                "the launcher binds rank {rank} on `{name}` to {own} of {cores} cores, and it has {} \
                 threads; add `--bind-to none`",
                arguments.threads
            ));
        }
        if count * arguments.table > host.free_mib {
            warnings.push(format!(
                "the tables of {count} ranks take {} MiB on `{name}`, where {} MiB are free; choose a \
                 smaller `--table`",
                count * arguments.table,
                host.free_mib
            ));
        }
    }

    /// Tells which pairs of hosts are much slower than others.
    fn warn_of_pairs(&self, warnings: &mut Vec<String>) {
        let between: Vec<_> = self.pairs.iter().filter(|(one, other, _)| one != other).collect();
        let middle = |number: &dyn Fn(&Journey) -> f64| {
            let mut numbers: Vec<f64> = between.iter().map(|(.., journey)| number(journey)).collect();
            numbers.sort_unstable_by(f64::total_cmp);
            numbers.get(numbers.len() / 2).copied().unwrap_or_default()
        };
        let latency = middle(&|journey| journey.latency.as_secs_f64());
        let bandwidth = middle(&|journey| journey.bandwidth);
        for (one, other, journey) in &between {
            if journey.latency.as_secs_f64() > WORSE * latency || journey.bandwidth * WORSE < bandwidth {
                let (us, mb) = numbers(journey);
                warnings.push(format!(
                    "messages between `{one}` and `{other}` take {us:.1} us at {mb:.0} MB/s, much worse than \
                     usual; check their network"
                ));
            }
        }
    }

    fn print(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (count, hosts) = (self.machines.len(), self.hosts.len());
        let first = &self.machines[0];
        let word = if hosts == 1 { "host" } else { "hosts" };
        writeln!(out, "{count} ranks on {hosts} {word}, multigame {}, {}", first.program, first.library)?;
        writeln!(
            out,
            "rank  host                  cores  free MiB  table MiB  latency us      MB/s  clock us"
        )?;
        for (rank, machine) in self.machines.iter().enumerate() {
            let (host, cores, free) = (&machine.host, machine.cores, machine.free_mib);
            let table = self.table_mib(machine);
            write!(out, "{rank:>4}  {host:<20}  {cores:>5}  {free:>8}  {table:>9}")?;
            match &self.reach[rank] {
                Some(journey) => {
                    let ((us, mb), clock) = (numbers(journey), self.clocks[rank].wall as f64 / 1e3);
                    writeln!(out, "  {us:>10.1}  {mb:>8.0}  {clock:>+8.0}")?;
                }
                None => writeln!(out, "           -         -         -")?,
            }
        }
        writeln!(out, "from                  to                    latency us      MB/s")?;
        for (one, other, journey) in &self.pairs {
            let (us, mb) = numbers(journey);
            writeln!(out, "{one:<20}  {other:<20}  {us:>10.1}  {mb:>8.0}")?;
        }
        Ok(())
    }

    fn ranks_json(&self) -> Vec<serde_json::Value> {
        let each = self.machines.iter().zip(&self.reach).zip(&self.clocks);
        let each = each.map(|((machine, journey), clock)| {
            let numbers = journey.as_ref().map(numbers);
            json!({
                "host": machine.host,
                "program": machine.program,
                "library": machine.library,
                "cores": machine.cores,
                "free_mib": machine.free_mib,
                "table_mib": self.table_mib(machine),
                "latency_us": numbers.map(|(us, _)| us),
                "bandwidth_mb_s": numbers.map(|(_, mb)| mb),
                "clock_ns": clock.wall,
            })
        });
        each.collect()
    }

    fn pairs_json(&self) -> Vec<serde_json::Value> {
        let each = self.pairs.iter().map(|(from, to, journey)| {
            let (us, mb) = numbers(journey);
            json!({ "from": from, "to": to, "latency_us": us, "bandwidth_mb_s": mb })
        });
        each.collect()
    }
}

/// Latency in microseconds, and MB a second.
fn numbers(journey: &Journey) -> (f64, f64) {
    (journey.latency.as_secs_f64() * 1e6, journey.bandwidth / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(host: &str, numbers: &[u32]) -> Machine {
        let cores = numbers.len() as u32;
        let core_numbers = numbers.to_vec();
        Machine { host: host.to_string(), cores, core_numbers, free_mib: 100, ..Machine::default() }
    }

    fn findings(machines: &[Machine]) -> Findings<'_> {
        let clocks = vec![Clock::default(); machines.len()];
        Findings { machines, hosts: hosts_of(machines), reach: Vec::new(), pairs: Vec::new(), clocks }
    }

    fn warnings(findings: &Findings<'_>, threads: u32, table: u64) -> String {
        findings.warnings(&Arguments { threads, table, json: false }).join("\n")
    }

    #[test]
    fn cores_are_counted_once_for_each_host() {
        let bound = [machine("a", &[0]), machine("a", &[1]), machine("b", &[0, 1])];
        let found = findings(&bound);
        assert_eq!(found.hosts.iter().map(|host| host.cores).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(warnings(&found, 1, 16), "");
        let two = warnings(&found, 2, 16);
        assert!(two.contains("`a` has 2 cores for 4 threads of 2 ranks") && !two.contains("`b`"), "{two}");
        // Two cores of a container that sees eight.
        let limited = Machine { cores: 2, ..machine("c", &[0, 1, 2, 3, 4, 5, 6, 7]) };
        assert!(warnings(&findings(&[limited]), 4, 16).contains("has 2 cores"));
    }

    #[test]
    fn a_rank_that_is_bound_to_too_few_cores_is_named() {
        let machines = [machine("a", &[0]), machine("a", &[1, 2, 3])];
        let found = warnings(&findings(&machines), 2, 16);
        assert!(found.contains("binds rank 0 on `a` to 1 of 4 cores"), "{found}");
    }

    #[test]
    fn tables_clocks_and_slow_pairs_are_named() {
        let machines = [machine("a", &[0]), machine("b", &[0]), machine("c", &[0])];
        let mut found = findings(&machines);
        assert!(warnings(&found, 1, 101).contains("take 101 MiB on `a`, where 100 MiB are free"));
        found.clocks[1].wall = -3_000_000_000;
        let journey = |us, bandwidth| Journey { latency: Duration::from_micros(us), bandwidth };
        found.pairs =
            vec![("a", "b", journey(20, 1e9)), ("a", "c", journey(21, 1e9)), ("b", "c", journey(200, 1e9))];
        let text = warnings(&found, 1, 16);
        assert!(text.contains("the clock of `b` is -3.0 s off"), "{text}");
        assert!(
            text.contains("between `b` and `c` take 200.0 us at 1000 MB/s") && !text.contains("`a`"),
            "{text}"
        );
    }
}

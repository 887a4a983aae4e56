//! What people see of a job: who did what, when, and on which host.

use crate::job::{json, many, run, stdout};

#[test]
fn work_is_told_by_rank_and_host() {
    let ranks = many(3);
    let text = stdout(&run(ranks, &["search", "chess", "--depth", "6", "--threads", "2", "--stats"]));
    for rank in 0..ranks {
        let line = text.lines().find(|line| line.starts_with(&format!("rank {rank} on `")));
        let line = line.unwrap_or_else(|| panic!("{text}"));
        assert!(line.contains(" nodes,") && line.contains("% idle") && line.contains(" messages"), "{text}");
    }
    assert_eq!(text.matches("\n  thread ").count() as u32, 2 * ranks, "{text}");
}

/// All workers are in one trace, on one clock: nobody works before the search began, or long after it was
/// over.
#[test]
fn one_trace_has_all_ranks() {
    let file = std::env::temp_dir().join(format!("multigame-trace-{}.json", std::process::id()));
    let trace = file.to_str().unwrap();
    let ranks = many(3);
    let found = json(&stdout(&run(ranks, &["search", "chess", "--depth", "7", "--json", "--trace", trace])));
    let events = json(&std::fs::read_to_string(&file).unwrap());
    std::fs::remove_file(&file).unwrap();
    let events = events.as_array().or(events["traceEvents"].as_array()).unwrap();
    let spans = events.iter().filter(|event| event["ph"] == "X");
    let mut workers = vec![0; ranks as usize];
    let end = found["seconds"].as_f64().unwrap() * 1e6;
    for span in spans {
        workers[span["tid"].as_u64().unwrap() as usize] += 1;
        let (from, length) = (span["ts"].as_f64().unwrap(), span["dur"].as_f64().unwrap());
        assert!(from >= 0.0 && from + length < end + 1e6, "{span} of {end}");
    }
    assert!(workers.iter().all(|&spans| spans > 0), "{workers:?}");
}

//! `multigame lsp` as a program: how it begins, how it ends, and what it runs.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

struct Client {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Client {
    fn start() -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_multigame"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Client { child, output }
    }

    fn write(&mut self, text: &str) {
        // The server may have ended already.
        let _ = self.child.stdin.as_mut().unwrap().write_all(text.as_bytes());
    }

    fn send(&mut self, message: Value) {
        let mut message = message;
        message["jsonrpc"] = json!("2.0");
        let text = message.to_string();
        self.write(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    /// The next message that answers the request, or is the first with the method.
    fn hear(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                assert!(self.output.read_line(&mut line).unwrap() > 0, "the server ended");
                match line.trim_end().split_once(": ") {
                    Some((_, value)) => length = value.parse().unwrap(),
                    None => break,
                }
            }
            let mut body = vec![0; length];
            self.output.read_exact(&mut body).unwrap();
            let message: Value = serde_json::from_slice(&body).unwrap();
            if wanted(&message) {
                return message;
            }
        }
    }

    fn ask(&mut self, id: i32, method: &str, params: Value) -> Value {
        self.send(json!({"id": id, "method": method, "params": params}));
        self.hear(|message| message["id"] == id)
    }

    /// Closes the input; the status and what was said about it.
    fn end(mut self) -> (Option<i32>, String) {
        drop(self.child.stdin.take());
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

#[test]
fn it_ends_as_it_should() {
    let mut client = Client::start();
    let about = client.ask(1, "initialize", json!({"capabilities": {}}));
    assert_eq!(about["result"]["capabilities"]["positionEncoding"], "utf-16");
    client.write("Content-Length: 3\r\n\r\n{]}");
    assert_eq!(client.hear(|message| message["id"].is_null())["error"]["code"], -32700);
    assert!(client.ask(2, "shutdown", Value::Null)["error"].is_null());
    client.send(json!({"method": "exit"}));
    assert_eq!(client.end(), (Some(0), String::new()));
}

#[test]
fn garbage_is_an_error_with_a_remedy() {
    for (text, reason) in [
        ("hello\n", "which an editor starts"),
        ("Content-Length: 99999999999\r\n\r\n", "too long"),
        ("Content-Length: 40\r\n\r\n{}", "ends within a message"),
        ("", "without the message `exit`"),
        ("Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}", "without `shutdown`"),
    ] {
        let mut client = Client::start();
        client.write(text);
        let (code, errors) = client.end();
        assert!(
            code == Some(1) && errors.matches(reason).count() == 1 && !errors.contains("panicked"),
            "{text}: {code:?} {errors}"
        );
    }
}

#[test]
fn lenses_run_the_program() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/tic-tac-toe/rules.mg");
    let uri = format!("file://{}", file.display());
    let text = std::fs::read_to_string(&file).unwrap();
    let mut client = Client::start();
    client.ask(
        1,
        "initialize",
        json!({"capabilities": {"general": {"positionEncodings": ["utf-8", "utf-16"]}}}),
    );
    let document = json!({"uri": uri, "languageId": "multigame", "version": 7, "text": text});
    client.send(json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}));
    let found = client.hear(|message| message["method"] == "textDocument/publishDiagnostics");
    assert_eq!((&found["params"]["version"], &found["params"]["diagnostics"]), (&json!(7), &json!([])));
    let lenses = client.ask(2, "textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let lenses: Vec<&Value> =
        lenses["result"].as_array().unwrap().iter().map(|lens| &lens["command"]).collect();
    let run = |client: &mut Client, id, command: &Value| {
        client.ask(
            id,
            "workspace/executeCommand",
            json!({"command": command["command"], "arguments": command["arguments"]}),
        )
    };
    let perft = run(&mut client, 3, lenses[0]);
    assert!(perft["result"].as_str().unwrap().contains("3024"), "{perft}");
    let coverage = lenses.iter().find(|lens| lens["arguments"][0]["rule"] == "three_in_a_row").unwrap();
    let covered = run(&mut client, 4, coverage);
    assert!(covered["result"].as_str().unwrap().contains("three_in_a_row run "), "{covered}");
    let play = run(&mut client, 5, &json!({"command": "multigame.play", "arguments": coverage["arguments"]}));
    assert!(play["error"]["message"].as_str().unwrap().contains("needs a terminal"), "{play}");
    // A command that takes long is ended when nobody wants it any more.
    client.send(json!({"id": 6, "method": "workspace/executeCommand",
        "params": {"command": "multigame.analyze", "arguments": coverage["arguments"]}}));
    client.send(json!({"method": "$/cancelRequest", "params": {"id": 6}}));
    assert_eq!(client.hear(|message| message["id"] == 6)["error"]["code"], -32800);
    client.ask(7, "shutdown", Value::Null);
    client.send(json!({"method": "exit"}));
    assert_eq!(client.end().0, Some(0));
}

#[test]
fn coverage_of_one_rule_is_of_that_rule() {
    let run = |rule: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_multigame"))
            .args(["playout", "tic-tac-toe", "--games", "5", "--coverage", "--rule", rule])
            .output()
            .unwrap();
        (
            output.status.success(),
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    let (works, text, _) = run("main");
    assert!(
        works && text.contains("rules       1 of 1 had a result") && text.contains("main        run "),
        "{text}"
    );
    let (works, _, errors) = run("mian");
    assert!(!works && errors.contains("did you mean `main`?"), "{errors}");
}

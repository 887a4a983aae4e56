//! A server to talk to, and a client that says exactly what it is told.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// A running server, which ends with the test.
pub struct Server {
    child: Child,
    pub address: String,
}

/// What it answered.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&self.body)))
    }

    /// The code of a failure.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_string()
    }

    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (known, value) = line.split_once(':')?;
            known.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

impl Server {
    /// Starts a server on a free port.
    pub fn start(arguments: &[&str]) -> Server {
        Server::of(Command::new(env!("CARGO_BIN_EXE_multigame")), arguments)
    }

    /// The same in a shell that does something first, such as setting limits.
    pub fn start_limited(limits: &str, arguments: &[&str]) -> Server {
        Server::of(in_shell(limits), arguments)
    }

    fn of(mut program: Command, arguments: &[&str]) -> Server {
        let mut child = program
            .args(["serve", "--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("the address");
        let address = line.trim().trim_start_matches("http://").split('/').next().unwrap_or("").to_string();
        assert!(address.contains(':'), "no address: {line}");
        Server { child, address }
    }

    /// What a server says that does not start.
    pub fn refused(limits: &str, arguments: &[&str]) -> String {
        let output =
            in_shell(limits).args(["serve", "--port", "0"]).args(arguments).output().expect("a shell");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.id().to_string()]).status();
        assert!(sent.expect("`kill` runs").success());
    }

    /// Whether it has come to its end.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    /// Whether it still answers.
    pub fn lives(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_none() && self.get("/api").status == 200
    }

    /// Sends bytes and reads the answer.
    pub fn raw(&self, request: &[u8]) -> Answer {
        let mut stream = self.connect();
        // A server that refuses a large body may close before everything is written.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        answer(&bytes)
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(90))).expect("a time limit");
        stream
    }

    /// Sends a request with headers.
    pub fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        self.raw(self.request(method, path, headers, body).as_bytes())
    }

    /// Sends a request and does not wait for the answer.
    pub fn begin(&self, method: &str, path: &str, headers: &str, body: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(self.request(method, path, headers, body).as_bytes()).expect("a connection");
        stream
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let host = if headers.to_lowercase().contains("host:") {
            String::new()
        } else {
            format!("host: {}\r\n", self.address)
        };
        let length = body.len();
        format!(
            "{method} {path} HTTP/1.1\r\n{host}connection: close\r\ncontent-length: \
             {length}\r\n{headers}\r\n{body}"
        )
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, "", "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, "content-type: application/json\r\n", &body.to_string())
    }

    /// Opens a session; its id and the whole answer.
    pub fn open(&self, body: &Value) -> (String, Value) {
        let answer = self.post("/api/sessions", body);
        assert_eq!(answer.status, 201, "{}", String::from_utf8_lossy(&answer.body));
        let json = answer.json();
        (json["id"].as_str().expect("an id").to_string(), json)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program in a shell that does something first.
fn in_shell(first: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{first} exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_multigame")]);
    shell
}

fn answer(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let rest = bytes.get(end + 4..).unwrap_or(&[]);
    let chunked = head.to_lowercase().contains("transfer-encoding: chunked");
    let body = if chunked { unchunked(rest) } else { rest.to_vec() };
    Answer { status, head, body }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size = usize::from_str_radix(String::from_utf8_lossy(&bytes[..end]).trim(), 16).unwrap_or(0);
        if size == 0 || bytes.len() < end + 2 + size {
            break;
        }
        body.extend(&bytes[end + 2..end + 2 + size]);
        bytes = &bytes[(end + 4 + size).min(bytes.len())..];
    }
    body
}

/// The event stream of a session.
pub struct Listener(BufReader<TcpStream>);

impl Listener {
    pub fn new(server: &Server, id: &str) -> Listener {
        let mut stream = server.connect();
        let path = format!("/api/sessions/{id}/events");
        let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", server.address);
        stream.write_all(request.as_bytes()).expect("a request");
        Listener(BufReader::new(stream))
    }

    /// The next event, whatever it is.
    pub fn next(&mut self) -> (String, Value) {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).expect("an event in time") > 0, "the stream has ended");
            if let Some(event) = line.strip_prefix("event: ") {
                name = event.trim().to_string();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return (name, serde_json::from_str(data.trim()).expect("JSON"));
            }
        }
    }

    /// The next event of that name; others are passed over.
    pub fn until(&mut self, wanted: &str) -> Value {
        loop {
            let (name, data) = self.next();
            assert!(name != "failed" || wanted == "failed", "{data}");
            if name == wanted {
                return data;
            }
        }
    }
}

//! The server as a state machine: who asked what, and what has to be answered.

use std::collections::{BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use gen_lsp_types as types;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use multigame_ide::lenses::Action;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::answers::{self, Refusal};
use crate::capabilities::Client;
use crate::documents::{Document, Documents};
use crate::jobs::{Done, Job};
use crate::serve::{Failure, is_exit};
use crate::uri;
use crate::workspace::Workspace;

/// Commands that run at the same time.
const MOST_COMMANDS: usize = 4;
/// Documents of which it is found out at the same time what runs them.
const MOST_RUNS: usize = 2;

/// How far the conversation has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Phase {
    #[default]
    New,
    Running,
    ShutDown,
    Exited,
    Gone,
}

/// A request for hints that waits until it is known what runs the rules.
#[derive(Debug)]
struct WaitingHints {
    id: RequestId,
    uri: String,
    version: i32,
    range: types::Range,
}

/// A command that runs.
#[derive(Debug)]
struct RunningCommand {
    id: RequestId,
    title: String,
    cancelled: Arc<AtomicBool>,
}

/// The server.
#[derive(Debug, Default)]
pub struct Server {
    phase: Phase,
    exited_well: bool,
    client: Client,
    documents: Documents,
    workspace: Workspace,
    /// Whether no further messages come.
    closed: bool,
    /// Messages that have not been looked at.
    queue: VecDeque<Message>,
    messages: Vec<Message>,
    jobs: Vec<Job>,
    /// Open documents whose diagnostics the editor does not know.
    unchecked: BTreeSet<String>,
    hints: Vec<WaitingHints>,
    /// Documents, with their versions, of which it is being found out what runs them.
    running: BTreeSet<(String, i32)>,
    commands: Vec<RunningCommand>,
}

impl Server {
    /// A server that nobody has talked to.
    pub fn new() -> Server {
        Server::default()
    }

    /// Takes a message; a cancellation has its effect at once.
    pub fn push(&mut self, message: Message) {
        match message {
            Message::Notification(cancel) if cancel.method == "$/cancelRequest" => {
                if let Ok(id) = serde_json::from_value(cancel.params["id"].clone()) {
                    self.cancel(&id);
                }
            }
            message => self.queue.push_back(message),
        }
    }

    /// The editor closed the connection: what it sent before is the last there is.
    pub fn close(&mut self) {
        self.closed = true;
    }

    /// Takes the result of a job.
    pub fn done(&mut self, done: Done) {
        match done {
            Done::Runs { uri, version, runs } => {
                self.running.remove(&(uri.clone(), version));
                let document = self.documents.get(&uri).filter(|document| document.version == version);
                if let Some(document) = document {
                    document.set_runs(runs);
                }
                self.answer_hints();
            }
            Done::Command { id, output } => self.command_ended(&id, output),
        }
    }

    /// Whether there is something to do without another message.
    pub fn has_work(&self) -> bool {
        !self.queue.is_empty() || !self.unchecked.is_empty() || self.closed || self.ended().is_some()
    }

    /// Does one thing: a message, or if there is none, the diagnostics of one document.
    pub fn step(&mut self) {
        if matches!(self.phase, Phase::Exited | Phase::Gone) {
            return;
        }
        match self.queue.pop_front() {
            Some(Message::Request(request)) => self.request(request),
            Some(message) if is_exit(&message) => {
                self.exited_well = self.phase == Phase::ShutDown;
                self.phase = Phase::Exited;
                self.commands.iter().for_each(|command| command.cancelled.store(true, Ordering::Relaxed));
            }
            Some(Message::Notification(notification)) if self.phase == Phase::Running => {
                self.notification(notification);
            }
            // The server asks nothing, so it waits for no response.
            Some(_) => {}
            None if self.unchecked.is_empty() && self.closed => self.phase = Phase::Gone,
            None => self.check_one(),
        }
    }

    /// The messages for the editor.
    pub fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }

    /// The jobs to start.
    pub fn take_jobs(&mut self) -> Vec<Job> {
        std::mem::take(&mut self.jobs)
    }

    /// How the conversation ended, if it has.
    pub fn ended(&self) -> Option<Result<(), Failure>> {
        match self.phase {
            Phase::Exited if self.exited_well => Some(Ok(())),
            Phase::Exited => Some(Err(Failure::NotShutDown)),
            Phase::Gone => Some(Err(Failure::Gone)),
            _ => None,
        }
    }

    /// The open texts.
    pub fn documents(&self) -> &Documents {
        &self.documents
    }

    // Requests.

    fn request(&mut self, request: Request) {
        let id = request.id.clone();
        let result = match (self.phase, request.method.as_str()) {
            (Phase::New, "initialize") => self.initialize(request.params),
            (Phase::New, _) => Err(Refusal::new(ErrorCode::ServerNotInitialized, "send `initialize` first")),
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                self.unchecked.clear();
                Ok(Some(Value::Null))
            }
            (Phase::Running, _) => {
                // Whatever a request comes upon, the texts and the other requests are not its business.
                let answered = catch_unwind(AssertUnwindSafe(|| self.answer(request)));
                answered.unwrap_or_else(|_| {
                    Err(Refusal::new(ErrorCode::InternalError, "the server failed; please report this"))
                })
            }
            _ => Err(Refusal::new(ErrorCode::InvalidRequest, "the server is shut down")),
        };
        match result {
            Ok(Some(value)) => self.respond(Response::new_ok(id, value)),
            Ok(None) => {}
            Err(refusal) => self.respond(Response::new_err(id, refusal.code as i32, refusal.message)),
        }
    }

    fn respond(&mut self, response: Response) {
        self.messages.push(Message::Response(response));
    }

    fn initialize(&mut self, params: Value) -> Result<Option<Value>, Refusal> {
        let folders = params["workspaceFolders"].as_array().cloned().unwrap_or_default();
        let root = params["rootUri"].as_str().map(str::to_string);
        let params: types::InitializeParams = read(params)?;
        self.client = Client::new(&params);
        let named = folders.iter().filter_map(|folder| folder["uri"].as_str());
        match folders.len() {
            0 => root.iter().for_each(|root| self.workspace.add(root)),
            _ => named.for_each(|uri| self.workspace.add(uri)),
        }
        self.phase = Phase::Running;
        Ok(Some(self.client.answer()))
    }

    /// The answer to a request; nothing if it comes later.
    fn answer(&mut self, request: Request) -> Result<Option<Value>, Refusal> {
        let params = request.params;
        let world =
            answers::World { client: &self.client, documents: &self.documents, workspace: &self.workspace };
        let value = match request.method.as_str() {
            "textDocument/hover" => world.hover(&read(params)?),
            "textDocument/completion" => world.completion(&read(params)?),
            "textDocument/signatureHelp" => world.signature(&read(params)?),
            "textDocument/definition" => world.definition(&read(params)?),
            "textDocument/references" => world.references(&read(params)?),
            "textDocument/documentHighlight" => world.highlights(&read(params)?),
            "textDocument/documentSymbol" => world.outline(&read(params)?),
            "workspace/symbol" => world.symbols(&read(params)?),
            "textDocument/codeAction" => world.actions(&read(params)?),
            "textDocument/codeLens" => world.lenses(&read(params)?),
            "textDocument/formatting" => world.format(&read(params)?),
            "textDocument/rangeFormatting" => world.format_part(&read(params)?),
            "textDocument/prepareRename" => world.prepare_rename(&read(params)?),
            "textDocument/rename" => world.rename(&read(params)?),
            "textDocument/foldingRange" => world.folds(&read(params)?),
            "textDocument/selectionRange" => world.selections(&read(params)?),
            "textDocument/semanticTokens/full" => world.tokens(&read(params)?),
            "textDocument/semanticTokens/range" => world.tokens_of_part(&read(params)?),
            "textDocument/inlayHint" => return self.ask_hints(request.id, read(params)?),
            "workspace/executeCommand" => return self.execute(request.id, read(params)?),
            method => {
                Err(Refusal::new(ErrorCode::MethodNotFound, &format!("there is no request `{method}`")))
            }
        };
        value.map(Some)
    }

    fn cancel(&mut self, id: &RequestId) {
        let is_it = |message: &Message| matches!(message, Message::Request(request) if request.id == *id);
        let queued = self.queue.iter().position(is_it);
        let waiting = self.hints.iter().position(|waiting| waiting.id == *id);
        if let Some(place) = queued {
            self.queue.remove(place);
        } else if let Some(place) = waiting {
            self.hints.remove(place);
        } else if let Some(command) = self.commands.iter().find(|command| command.id == *id) {
            // Its answer comes when it has ended.
            return command.cancelled.store(true, Ordering::Relaxed);
        } else {
            return;
        }
        let code = ErrorCode::RequestCanceled as i32;
        self.respond(Response::new_err(id.clone(), code, "cancelled".to_string()));
    }

    // Hints.

    /// Hints say what runs the rules, which may have to be found out.
    fn ask_hints(&mut self, id: RequestId, params: types::InlayHintParams) -> Result<Option<Value>, Refusal> {
        let uri = params.text_document.uri.0;
        let document = self.documents.get(&uri).ok_or_else(|| Refusal::closed(&uri))?;
        let (version, known) = (document.version, document.runs().is_some());
        let key = (uri.clone(), version);
        if !known && !self.running.contains(&key) {
            match document.compiled().program.clone() {
                Some(program) if self.running.len() < MOST_RUNS => {
                    self.running.insert(key);
                    let program = Box::new(program);
                    self.jobs.push(Job::Runs { uri: uri.clone(), version, program });
                }
                _ => document.set_runs(None),
            }
        }
        self.hints.push(WaitingHints { id, uri, version, range: params.range });
        self.answer_hints();
        Ok(None)
    }

    /// Answers the requests for hints that have nothing left to wait for.
    fn answer_hints(&mut self) {
        for waiting in std::mem::take(&mut self.hints) {
            if self.running.contains(&(waiting.uri.clone(), waiting.version))
                && self.documents.get(&waiting.uri).is_some_and(|it| it.version == waiting.version)
            {
                self.hints.push(waiting);
                continue;
            }
            let world = answers::World {
                client: &self.client,
                documents: &self.documents,
                workspace: &self.workspace,
            };
            let response = match world.hints(&waiting.uri, waiting.range) {
                Ok(value) => Response::new_ok(waiting.id, value),
                Err(refusal) => Response::new_err(waiting.id, refusal.code as i32, refusal.message),
            };
            self.respond(response);
        }
    }

    // Commands.

    fn execute(
        &mut self,
        id: RequestId,
        params: types::ExecuteCommandParams,
    ) -> Result<Option<Value>, Refusal> {
        let arguments = params.arguments.unwrap_or_default();
        let argument = arguments.first().unwrap_or(&Value::Null);
        let file = argument["uri"].as_str().and_then(uri::path);
        let Some(file) = file.filter(|file| file.is_file()) else {
            return Err(Refusal::failed("save the rules first: the command reads the file"));
        };
        let rule = argument["rule"].as_str().unwrap_or("main").to_string();
        let actions = [Action::Play, Action::Perft, Action::Analyze, Action::Coverage(rule)];
        let Some(action) = actions.into_iter().find(|action| action.command() == params.command) else {
            return Err(Refusal::failed(&format!("there is no command `{}`", params.command)));
        };
        let arguments = action.arguments(&file.display().to_string());
        let title = format!("multigame {}", arguments.join(" "));
        if action == Action::Play {
            return Err(Refusal::failed(&format!("playing needs a terminal: run `{title}` in one")));
        }
        if self.commands.len() == MOST_COMMANDS {
            return Err(Refusal::failed(&format!("{MOST_COMMANDS} commands run already; wait for one")));
        }
        let cancelled = Arc::new(AtomicBool::new(false));
        self.commands.push(RunningCommand { id: id.clone(), title, cancelled: cancelled.clone() });
        let folder = file.parent().map(|folder| folder.to_path_buf());
        self.jobs.push(Job::Command { id, arguments, folder, cancelled });
        Ok(None)
    }

    fn command_ended(&mut self, id: &RequestId, output: Result<String, String>) {
        let Some(place) = self.commands.iter().position(|command| command.id == *id) else { return };
        let command = self.commands.remove(place);
        let cancelled = command.cancelled.load(Ordering::Relaxed);
        let response = match output {
            _ if cancelled => {
                Response::new_err(id.clone(), ErrorCode::RequestCanceled as i32, "cancelled".to_string())
            }
            Ok(output) => {
                let message = format!("{}\n{}", command.title, output.trim_end());
                self.notify("window/showMessage", json!({"type": 3, "message": message}));
                Response::new_ok(id.clone(), json!(output))
            }
            Err(message) => Response::new_err(id.clone(), ErrorCode::RequestFailed as i32, message),
        };
        self.respond(response);
    }

    // Notifications.

    fn notification(&mut self, notification: Notification) {
        let params = notification.params;
        let read = match notification.method.as_str() {
            "textDocument/didOpen" => read(params).map(|params| self.open(params)),
            "textDocument/didChange" => read(params).map(|params| self.change(params)),
            "textDocument/didSave" => read(params).map(|params| self.saved(&params)),
            "textDocument/didClose" => read(params).map(|params| self.close_document(&params)),
            "workspace/didChangeWorkspaceFolders" => {
                self.change_folders(&params["event"]);
                Ok(())
            }
            _ => Ok(()),
        };
        if let Err(refusal) = read {
            let message = format!("`{}`: {}", notification.method, refusal.message);
            self.notify("window/logMessage", json!({"type": 1, "message": message}));
        }
    }

    fn open(&mut self, params: types::DidOpenTextDocumentParams) {
        let types::TextDocumentItem { uri, version, text, .. } = params.text_document;
        self.unchecked.insert(uri.0.clone());
        self.documents.open(Document::new(uri.0, version, text));
    }

    fn change(&mut self, params: types::DidChangeTextDocumentParams) {
        let uri = params.text_document.text_document_identifier.uri.0;
        let Some(document) = self.documents.get_mut(&uri) else {
            let message = format!("`{uri}` changed, but is not open");
            return self.notify("window/logMessage", json!({"type": 1, "message": message}));
        };
        document.change(params.content_changes, self.client.encoding);
        document.version = params.text_document.version;
        self.unchecked.insert(uri);
        self.answer_hints();
    }

    fn saved(&mut self, params: &types::DidSaveTextDocumentParams) {
        if let Some(document) = self.documents.get_mut(&params.text_document.uri.0) {
            document.saved();
            self.unchecked.insert(params.text_document.uri.0.clone());
        }
    }

    fn close_document(&mut self, params: &types::DidCloseTextDocumentParams) {
        let uri = &params.text_document.uri.0;
        self.documents.close(uri);
        self.unchecked.remove(uri);
        self.notify("textDocument/publishDiagnostics", json!({"uri": uri, "diagnostics": []}));
        self.answer_hints();
    }

    fn change_folders(&mut self, event: &Value) {
        let uris = |list: &Value| -> Vec<String> {
            let folders = list.as_array().cloned().unwrap_or_default();
            folders.iter().filter_map(|folder| folder["uri"].as_str().map(str::to_string)).collect()
        };
        uris(&event["removed"]).iter().for_each(|uri| self.workspace.remove(uri));
        uris(&event["added"]).iter().for_each(|uri| self.workspace.add(uri));
    }

    /// Tells the editor what is wrong with one document.
    fn check_one(&mut self) {
        let Some(uri) = self.unchecked.pop_first() else { return };
        let Some(document) = self.documents.get(&uri) else { return };
        let found = catch_unwind(AssertUnwindSafe(|| answers::diagnostics(document, self.client.encoding)));
        let version = document.version;
        match found {
            Ok(diagnostics) => {
                let params = json!({"uri": uri, "version": version, "diagnostics": diagnostics});
                self.notify("textDocument/publishDiagnostics", params);
            }
            Err(_) => {
                let message = format!("checking `{uri}` failed; please report this");
                self.notify("window/logMessage", json!({"type": 1, "message": message}));
            }
        }
    }

    fn notify(&mut self, method: &str, params: Value) {
        let notification = Notification { method: method.to_string(), params };
        self.messages.push(Message::Notification(notification));
    }
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T, Refusal> {
    serde_json::from_value(params)
        .map_err(|error| Refusal::new(ErrorCode::InvalidParams, &format!("wrong parameters: {error}")))
}

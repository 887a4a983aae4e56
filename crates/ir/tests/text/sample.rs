//! Programs and parts of programs for the tests.

use multigame_game::{
    Abstraction, Board, Description, Diagram, Direction, Eyes, FenProperties, Field, Looks, Network, NoMoves,
    NotationStyle, Outcome, Piece, PieceInfo, PieceSet, Property, Repetition, Scope, Side, Topology, Tuple,
};
use multigame_ir::{
    BinaryOp, Expr, ExprOp, Function, FunctionId, MoveProperty, NamePart, Op, Origin, OriginId, Program,
    RepetitionRule, Slot, Stmt,
};

pub const BINARY: [BinaryOp; 16] = [
    BinaryOp::Multiply,
    BinaryOp::Divide,
    BinaryOp::Remainder,
    BinaryOp::Add,
    BinaryOp::Subtract,
    BinaryOp::ShiftLeft,
    BinaryOp::ShiftRight,
    BinaryOp::Less,
    BinaryOp::LessEqual,
    BinaryOp::Greater,
    BinaryOp::GreaterEqual,
    BinaryOp::Equal,
    BinaryOp::NotEqual,
    BinaryOp::BitAnd,
    BinaryOp::BitXor,
    BinaryOp::BitOr,
];

pub fn stmt(op: Op) -> Stmt {
    Stmt::new(op, OriginId(0))
}

pub fn expr(op: ExprOp) -> Expr {
    Expr { op, origin: OriginId(0) }
}

pub fn boxed(op: ExprOp) -> Box<Expr> {
    Box::new(expr(op))
}

/// The pieces with these numbers.
pub fn set(pieces: &[u8]) -> PieceSet {
    pieces.iter().map(|&piece| Piece(piece)).collect()
}

pub fn piece(name: &str, side: Option<Side>, symbol: char) -> PieceInfo {
    PieceInfo { name: name.to_string(), side, symbol, glyph: None, colour: None }
}

fn property(name: &str, scope: Scope, low: i32, high: i32, offset: usize) -> Property {
    Property { name: name.to_string(), scope, low, high, hashed: true, offset }
}

fn board(topology: Topology, columns: u16, rows: u16, holes: &[usize], turned: bool) -> Board {
    let present = (0..usize::from(columns * rows)).map(|field| !holes.contains(&field)).collect();
    Board::grid(topology, columns, rows, present, turned).expect("a possible board")
}

fn function(name: &str, view: Side, body: Stmt) -> Function {
    Function { name: name.to_string(), view, body }
}

fn origin(rule: &str, line: u32, span: (u32, u32)) -> Origin {
    Origin { rule: rule.to_string(), line, span }
}

/// A description without properties, the board empty.
pub fn description(name: &str, board: Board) -> Description {
    let initial = Diagram { cells: vec![Piece::NONE; board.size()], values: Vec::new(), side: Side::White };
    let pieces =
        vec![PieceInfo::none(), piece("pawn", Some(Side::White), 'P'), piece("pawn", Some(Side::Black), 'p')];
    Description {
        name: name.to_string(),
        players: 2,
        board,
        pieces,
        properties: Vec::new(),
        chance: None,
        no_moves: NoMoves::Loss,
        repetition: Repetition::Ignored,
        notation: Vec::new(),
        stacks: None,
        looks: Looks::default(),
        initial,
    }
}

/// A program that does nothing in that game.
pub fn idle(description: Description) -> Program {
    Program {
        description,
        move_properties: Vec::new(),
        functions: vec![function("main", Side::White, Stmt::nothing())],
        main: [FunctionId(0); 2],
        goal: None,
        last: None,
        abstractions: Vec::new(),
        evaluations: Vec::new(),
        patterns: Vec::new(),
        network: None,
        judge: None,
        origins: vec![Origin::default()],
    }
}

/// A network for the small game: two kinds of pieces on nine fields and a property of two players.
pub fn network() -> Network {
    let row = |number: i16| number * 7 - 300;
    Network {
        hidden: 16,
        eyes: Eyes::Apart,
        scale: 150,
        rows: (0..2 * (2 * 9 + 2) * 16).map(row).collect(),
        bias: (0..16).collect(),
        output: [(0..16).map(|number| number - 8).collect(), vec![-127; 16]],
        output_bias: -70_000,
    }
}

/// A small game with most of what there is.
pub fn race() -> Program {
    let mut description = description("race", board(Topology::Square, 3, 3, &[], true));
    description.properties = vec![property("moved", Scope::Player, 0, 1, 0)];
    description.repetition = Repetition::Draw(3);
    description.notation = vec![NotationStyle::Coordinates];
    description.initial = Diagram::empty(&description);
    for column in 0..3 {
        description.initial.cells[column] = Piece(1);
        description.initial.cells[6 + column] = Piece(2);
    }
    let at = |op: Op, origin: u32| Stmt::new(op, OriginId(origin));
    let quiet = vec![
        stmt(Op::Face(vec![Direction(0)])),
        stmt(Op::Step),
        stmt(Op::PointsAt(PieceSet::of(Piece::NONE))),
    ];
    let capture = vec![
        stmt(Op::Face(vec![Direction(7), Direction(1)])),
        stmt(Op::Step),
        stmt(Op::PointsAt(set(&[2]))),
        stmt(Op::Assign(expr(ExprOp::PostAdd(Slot::Value(2), 1)))),
    ];
    let moved = ExprOp::Store(Slot::Value(0), boxed(ExprOp::Const(1)));
    let others = stmt(Op::Sequence(vec![stmt(Op::Find(set(&[2]))), stmt(Op::PointsAt(set(&[2])))]));
    let arrived = ExprOp::Binary(BinaryOp::Equal, boxed(ExprOp::Row(Side::White)), boxed(ExprOp::Const(3)));
    let alone =
        ExprOp::Binary(BinaryOp::Equal, boxed(ExprOp::Count(Box::new(others))), boxed(ExprOp::Const(0)));
    let wins = Op::Sequence(vec![
        stmt(Op::Assert(expr(ExprOp::Or(boxed(arrived), boxed(alone))))),
        stmt(Op::Outcome(Outcome::Wins(Side::White))),
    ]);
    let main = Op::Sequence(vec![
        at(Op::Find(set(&[1])), 1),
        stmt(Op::PickUp),
        stmt(Op::Either(vec![stmt(Op::Sequence(quiet)), at(Op::Sequence(capture), 2)])),
        stmt(Op::PutDown),
        stmt(Op::Assign(Expr { op: moved, origin: OriginId(3) })),
        stmt(Op::Try(Box::new(stmt(wins)), Box::new(Stmt::nothing()))),
    ]);
    Program {
        description,
        move_properties: vec![MoveProperty { name: "taken".to_string(), low: 0, high: 3 }],
        functions: vec![
            function("main", Side::White, stmt(main)),
            function("main", Side::Black, stmt(Op::Call(FunctionId(0)))),
        ],
        main: [FunctionId(0), FunctionId(1)],
        goal: None,
        last: None,
        abstractions: Vec::new(),
        evaluations: Vec::new(),
        patterns: vec![Tuple { fields: vec![Field(0), Field(4)], table: vec![0, 5, -3, 1, 0, 0, 2, 0, 9] }],
        network: None,
        judge: None,
        origins: vec![
            Origin::default(),
            origin("main", 7, (120, 128)),
            origin("main", 9, (150, 190)),
            origin("main", 11, (200, 210)),
        ],
    }
}

/// Every feature of a description that a grid can have, and names that need quotes.
pub fn decorated() -> Program {
    let mut description = description("a \"strange\"\ngame\\", board(Topology::Hex, 4, 3, &[0, 11], true));
    description.pieces = vec![
        PieceInfo { glyph: Some("·".to_string()), ..PieceInfo::none() },
        PieceInfo { glyph: Some("♙".to_string()), ..piece("pawn", Some(Side::White), 'P') },
        PieceInfo { colour: Some("dark red".to_string()), ..piece("pawn", Some(Side::Black), 'p') },
        piece("", None, '#'),
        piece("bad \u{7} name", None, '"'),
        piece("quote", Some(Side::Black), '\''),
        piece("backslash", None, '\\'),
        piece("digit", None, '7'),
    ];
    description.properties = vec![
        property("kings", Scope::Player, 0, 1, 0),
        property("queens", Scope::Player, 0, 1, 2),
        property("column", Scope::Board, 0, 8, 4),
        property("clock", Scope::Board, 0, 100, 5),
        Property { hashed: false, ..property("größe", Scope::Field, -3, i32::MAX, 6) },
        property("move", Scope::Player, i32::MIN, 0, 18),
    ];
    description.repetition = Repetition::Loss(2);
    description.no_moves = NoMoves::Pass;
    description.notation = vec![
        NotationStyle::Uci,
        NotationStyle::Fen(FenProperties {
            king_side: "kings".to_string(),
            queen_side: "queens".to_string(),
            en_passant: "column".to_string(),
            half_moves: "clock".to_string(),
        }),
        NotationStyle::Algebraic,
        NotationStyle::Pdn,
        NotationStyle::Coordinates,
        NotationStyle::Column,
        NotationStyle::Shift,
        NotationStyle::Lurd,
        NotationStyle::Usi,
        NotationStyle::Iccs,
    ];
    description.looks = Looks { fields: Some("chequered".to_string()) };
    description.initial = Diagram::empty(&description);
    description.initial.side = Side::Black;
    for piece in 1..8 {
        description.initial.cells[usize::from(piece)] = Piece(piece);
    }
    description.initial.values[1] = 1;
    description.initial.values[5] = 17;
    description.initial.values[9] = 1_000_000;
    description.initial.values[19] = -5;
    let load = |slot: Slot| stmt(Op::Assert(expr(ExprOp::Load(slot))));
    let mut all: Vec<Stmt> = (0..22).map(|number| load(Slot::Value(number))).collect();
    all.extend([0, 6, 10].map(|base| load(Slot::AtFinger(base))));
    Program {
        move_properties: vec![
            MoveProperty { name: "white".to_string(), low: -1, high: 1 },
            MoveProperty { name: "große".to_string(), low: 0, high: 0 },
        ],
        functions: vec![
            function("main", Side::White, stmt(Op::Sequence(all))),
            function("main", Side::White, stmt(Op::Call(FunctionId(3)))),
            function("odd \"name\" ~ #", Side::Black, stmt(Op::Call(FunctionId(1)))),
            function("main", Side::White, stmt(Op::Call(FunctionId(2)))),
        ],
        main: [FunctionId(3), FunctionId(2)],
        goal: Some(FunctionId(1)),
        last: Some([FunctionId(0), FunctionId(1)]),
        abstractions: vec![Abstraction { name: "both \"kinds\"".to_string(), kept: set(&[1, 2]) }],
        evaluations: Vec::new(),
        judge: Some(RepetitionRule { rule: [FunctionId(1), FunctionId(0)], cycle: Some(0) }),
        origins: vec![origin("nowhere", 0, (0, 0)), origin("x", u32::MAX, (u32::MAX, 0))],
        ..idle(description)
    }
}

/// A graph with a ring, a tree that runs together, a loop, a direction without links, and a hole.
pub fn graph() -> Program {
    let chains = |chains: &[&str]| -> Vec<Vec<String>> {
        chains.iter().map(|chain| chain.split(' ').map(str::to_string).collect()).collect()
    };
    let ring = chains(&["a1 b1 c1 c2 a2 a1"]);
    let tree = chains(&["a1 c2", "b1 c2", "c2 c1 a2 a2"]);
    let lines = chains(&["a1 b1", "a2 c2"]);
    let present = vec![true, true, true, true, false, true];
    let directions: [multigame_game::Chains<'_>; 4] = [
        ("sow", Some("sow back"), ring.as_slice()),
        ("fall", None, tree.as_slice()),
        ("nowhere", Some("neither"), &[]),
        ("direction", Some("step"), lines.as_slice()),
    ];
    let board = Board::graph(3, 2, present, false, &directions).expect("a possible board");
    let mut description = description("ring", board);
    description.players = 1;
    description.no_moves = NoMoves::Error;
    description.repetition = Repetition::Forbidden;
    description.initial.cells[2] = Piece(1);
    let all: Vec<Direction> = description.board.directions().collect();
    let mut program = idle(description);
    let step = Box::new(stmt(Op::Step));
    program.functions[0].body =
        stmt(Op::Sequence(vec![stmt(Op::Face(all.clone())), stmt(Op::ForEachDirection(all, step))]));
    program
}

/// One of every statement.
pub fn every_op() -> Vec<Op> {
    let step = || Box::new(stmt(Op::Step));
    let number = || expr(ExprOp::Const(2));
    vec![
        Op::Sequence(vec![]),
        Op::Sequence(vec![stmt(Op::Step)]),
        Op::Either(vec![]),
        Op::Either(vec![stmt(Op::Step), Stmt::nothing()]),
        Op::Try(step(), step()),
        Op::Test(step()),
        Op::Not(step()),
        Op::Repeat { low: 0, high: None, body: step() },
        Op::Repeat { low: 3, high: Some(3), body: step() },
        Op::Repeat { low: 1, high: Some(u32::MAX), body: step() },
        Op::While { condition: step(), body: step() },
        Op::Greatest(number(), step()),
        Op::ForEachField(set(&[0, 1, 2]), step()),
        Op::ForEachDirection(vec![Direction(1), Direction(0)], step()),
        Op::ForEachDirection(vec![], step()),
        Op::Call(FunctionId(1)),
        Op::Find(set(&[0, 2])),
        Op::PointsAt(PieceSet::EMPTY),
        Op::Replace(Piece(2)),
        Op::Replace(Piece::NONE),
        Op::PickUp,
        Op::PutDown,
        Op::Face(vec![Direction(7), Direction(3)]),
        Op::Face(vec![]),
        Op::Turn(-3),
        Op::Step,
        Op::StepBackward,
        Op::Place(Field(4)),
        Op::MoveTo { column: number(), row: number(), view: Side::Black },
        Op::Match(vec![]),
        Op::Match(vec![
            (Field(0), set(&[1])),
            (Field(8), set(&[1])),
            (Field(3), set(&[0])),
            (Field(4), set(&[1])),
        ]),
        Op::Assert(number()),
        Op::Assign(number()),
        Op::Irreversible,
        Op::Outcome(Outcome::Wins(Side::Black)),
        Op::Outcome(Outcome::Draw),
        Op::Outcome(Outcome::Score(i32::MIN)),
        Op::Score(number(), Side::Black),
        Op::KeepTurn,
        Op::Unchanged,
        Op::Called(vec![NamePart::Text("x".to_string()), NamePart::Field, NamePart::Number(number())]),
    ]
}

/// One of every expression.
pub fn every_expr_op() -> Vec<ExprOp> {
    let number = || boxed(ExprOp::Const(2));
    let value = Slot::Value(2);
    let step = || Box::new(stmt(Op::Step));
    let mut all: Vec<ExprOp> = BINARY.iter().map(|&op| ExprOp::Binary(op, number(), number())).collect();
    all.extend([
        ExprOp::Const(-5),
        ExprOp::Const(i64::MIN),
        ExprOp::Const(i64::MAX),
        ExprOp::Load(value),
        ExprOp::Row(Side::Black),
        ExprOp::Column(Side::White),
        ExprOp::Negate(number()),
        ExprOp::Negate(boxed(ExprOp::Negate(boxed(ExprOp::Const(-5))))),
        ExprOp::Not(number()),
        ExprOp::Not(boxed(ExprOp::Not(boxed(ExprOp::Negate(number()))))),
        ExprOp::Complement(boxed(ExprOp::Const(-1))),
        ExprOp::And(number(), number()),
        ExprOp::Or(number(), number()),
        ExprOp::Conditional(number(), number(), number()),
        ExprOp::Store(value, number()),
        ExprOp::PostAdd(value, 1),
        ExprOp::PostAdd(value, -1),
        ExprOp::PostAdd(value, 17),
        ExprOp::PostAdd(value, 0),
        ExprOp::Comma(number(), number()),
        ExprOp::Count(step()),
        ExprOp::Sum(number(), step()),
    ]);
    all
}

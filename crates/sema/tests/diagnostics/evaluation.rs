//! Errors in evaluations.

use expect_test::expect;

use crate::{check, check_rules};

#[test]
fn weights_tables_and_names() {
    check_rules(
        "evaluation {
            material { man 100 rock 5 mam 3 man 7 }
            table man = \"1 2 3\" \"4 5\"
            table man = \"1 x 3\" \"4 5\" \"1 2 3\"
            a : 1
            b 3 .. 4 : 1
            c 20000 : 1
            a 5 : row
        }
        evaluation x { } evaluation x { }
        main = find own man, replace by empty field.",
        expect![[r#"
            error[bad-evaluation] <rock> `rock` belongs to nobody, so it is worth nothing
                help: own pieces count minus the opponent's; use a term to count others
            error[undefined-piece] <mam> there is no piece `mam`
                ^ did you mean `man`?
                fix: write `man`: <mam> -> <man>
            error[double-declaration] <man> `material.man` is there twice
                ^ remove one of the two
            error[table-size] <"1 2 3" "4 5"> 2 rows for 3 rows of fields
                help: one string for each row is expected, the farthest first
            error[double-declaration] <man> `table.man` is there twice
                ^ remove one of the two
            error[bad-weight] <"1 x 3"> `x` is not a weight
                ^ numbers from -10000 to 10000 are expected, `_` in holes
            error[missing-weight] <a> the term `a` has no weight
                ^ what is one of it worth?
                fix: insert one: <> -> < 10>
            error[missing-phase] <3 .. 4> there are two weights, but no phase between them
                help: declare one, the end first: `phase = count [ find any piece ] [4 .. 32]`
            error[bad-weight] <20000> 20000 is too much for a weight
                ^ -10000 to 10000 is possible; a man is about 100
            error[double-declaration] <a> `a` is there twice
                ^ remove one of the two
            error[undefined-finger] <row> the finger points nowhere yet
                ^ this needs the finger on a field
                help: point it with `find` or `move to` first
            error[double-declaration] <x> evaluation `x` is declared twice
                ^ remove one of the two
                at <x>: first declared here
        "#]],
    );
}

/// The least number of 32 bits has no opposite.
#[test]
fn weights_without_a_size() {
    check_rules(
        "evaluation { table man = \"1 2 -2147483648\" \"1 2 3\" \"1 2 3\" } main = find own man, replace by empty field.",
        expect![[r#"
            error[bad-weight] <"1 2 -2147483648"> `-2147483648` is not a weight
                ^ numbers from -10000 to 10000 are expected, `_` in holes
        "#]],
    );
}

#[test]
fn phases_and_groups() {
    check_rules(
        "evaluation {
            phase = count [ find any piece ] [9 .. 3]
            phase = 1 [0 .. 2]
            greatest { a 3 : 1 }
        }
        main = find own man, replace by empty field.",
        expect![[r#"
            error[bad-range] <9 .. 3> [9 .. 3] is not a range for a phase
                ^ the end of the game comes first, and is less
            error[double-declaration] <phase = 1 [0 .. 2]> an evaluation has one phase
                ^ remove one of the two
            error[bad-evaluation] <greatest { a 3 : 1 }> `greatest { }` is for puzzles: a lower bound
        "#]],
    );
    check(
        "players = 1 dimensions (3, 3) no moves = loss pieces { man 'M' }
evaluation { phase = 1 [0 .. 1] a 1 mover : 1 greatest { b : count [ step ] } } main = find man, replace by empty field.",
        expect![[r#"
            error[bad-evaluation] <phase = 1 [0 .. 1]> a puzzle's lower bound has no phases
            error[bad-evaluation] <mover> a puzzle has one player, who is always to move
            error[undefined-finger] <step> the finger points nowhere yet
                ^ this needs the finger on a field
                help: point it with `find` or `move to` first
        "#]],
    );
}

#[test]
fn rules_of_evaluations_are_used() {
    check_rules(
        "evaluation { a 3 : count [ inner ] } inner = find own man. other = find rock.
        main = find own man, replace by empty field.",
        expect![[r#"
            warning[unused-rule] <other> rule `other` is never used
        "#]],
    );
}

//! What may be wrong with evaluations.

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
        evaluation { }
        main = find own man, replace by empty field.",
        expect![[r#""#]],
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
        expect![[r#""#]],
    );
    check(
        "players = 1 dimensions (3, 3) no moves = loss pieces { man 'M' }
evaluation { phase = 1 [0 .. 1] a 1 mover : 1 greatest { b : count [ step ] } } main = find man, replace by empty field.",
        expect![[r#""#]],
    );
}

#[test]
fn rules_of_evaluations_are_used() {
    check_rules(
        "evaluation { a 3 : count [ inner ] } inner = find own man. other = find rock.
        main = find own man, replace by empty field.",
        expect![[r#""#]],
    );
}

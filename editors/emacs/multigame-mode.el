;;; multigame-mode.el --- Rules of board games -*- lexical-binding: t -*-

;;; Commentary:

;; Put this file into `load-path' and write (require 'multigame-mode) into the init file.
;; Eglot, which is part of Emacs 29 and newer, talks to the language server of `multigame'.

;;; Code:

(defcustom multigame-program "multigame"
  "The program `multigame'."
  :type 'string
  :group 'languages)

(defvar multigame-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?' "." table)
    table)
  "Comments and words of rules.")

(defconst multigame-font-lock
  `((,(rx line-start (group (+ (any alnum "_"))) (* blank) "=") 1 font-lock-function-name-face)
    (,(rx line-start (or "based on" "uses" "dimensions" "players" "sides" "no moves" "pieces" "properties" "parameter"
                         "topology" "directions" "setup" "repetition" "notation" "looks" "abstractions"
                         "evaluation")
          word-end)
     0 font-lock-preprocessor-face)
    (,(rx word-start (or "either" "or" "try" "else" "optionally" "test" "not" "repeat" "times" "while" "do" "find"
                         "points at" "replace by" "pick up" "put down" "move to" "match" "step" "turn" "assert"
                         "assign" "nothing" "irreversible" "for each" "facing" "holds" "board unchanged" "keep turn" "as opponent")
          word-end)
     0 font-lock-keyword-face)
    (,(rx word-start (or "win" "lose" "loss" "draw" "infinity") word-end) 0 font-lock-constant-face))
  "Colours of rules.")

;;;###autoload
(define-derived-mode multigame-mode prog-mode "Multigame"
  "Rules of board games."
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "#+\\s-*")
  (setq-local font-lock-defaults '(multigame-font-lock)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.mg\\'" . multigame-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '(multigame-mode . (lambda (&rest _) (list multigame-program "lsp")))))

(provide 'multigame-mode)
;;; multigame-mode.el ends here

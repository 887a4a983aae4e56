;;; emacs.el --- drives Emacs without a screen -*- lexical-binding: t -*-
;; The environment names the program and a file of rules with a mistake.
(require 'multigame-mode)
(require 'eglot)
(require 'flymake)
(setq multigame-program (getenv "MULTIGAME")
      eglot-sync-connect 60
      eglot-connect-timeout 120
      eglot-send-changes-idle-time 0)

(defun wait-for (what condition)
  (let ((end (+ (float-time) 60)) (found nil))
    (while (and (not (setq found (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (unless found (error "%s: this did not happen" what))))

(defun published () (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(find-file (getenv "RULES"))
(unless (eq major-mode 'multigame-mode) (error "The mode is %s" major-mode))
(apply #'eglot (eglot--guess-contact))
(flymake-mode 1)
(wait-for "a diagnostic"
          (lambda () (flymake-start) (cl-some (lambda (it) (string-match-p "emty" it)) (published))))
(goto-char (point-min))
(search-forward "emty")
(replace-match "empty")
(eglot--signal-textDocument/didChange)
(wait-for "no diagnostics" (lambda () (flymake-start) (null (published))))
(goto-char (point-min))
(search-forward "three_in_a_row")
(backward-char 3)
(eglot-rename "row_of_three")
(wait-for "another name"
          (lambda () (save-excursion (goto-char (point-min)) (search-forward "row_of_three =" nil t))))
(goto-char (point-min))
(insert "\n\n\n")
(eglot--signal-textDocument/didChange)
(eglot-format-buffer)
(unless (= (char-after (point-min)) ?#) (error "The text is not formatted"))
(set-buffer-modified-p nil)
(eglot-shutdown (eglot-current-server))
(message "Emacs works")

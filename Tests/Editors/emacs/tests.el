;;; tests.el --- Emacs with the configuration of docs/editors/README.md and the real server  -*- lexical-binding: t -*-

;; The current folder is an empty one.

(require 'ert)
(require 'cl-lib)
(require 'seq)

(defvar tests-folder (getenv "EDITOR_TESTS"))
(defvar tests-deadline (string-to-number (or (getenv "EDITOR_DEADLINE") "20")))
(defvar tests-right
  (with-temp-buffer
    (insert-file-contents (expand-file-name "hello.yaml" tests-folder))
    (buffer-string)))

;; Nothing may ask a person.
(setq eglot-confirm-server-initiated-edits nil
      eglot-autoshutdown t
      make-backup-files nil)

(defun tests-wait (what condition)
  "Wait for events until CONDITION returns something, which is the result; WHAT it is."
  (let ((limit (+ (float-time) tests-deadline)) result)
    (while (not (setq result (funcall condition)))
      (when (> (float-time) limit) (ert-fail (list 'waited-for what)))
      (accept-process-output nil 0.05))
    result))

(defun tests-open (name text)
  "Open the file NAME with TEXT, as a person does."
  (write-region text nil name nil 'silent)
  (switch-to-buffer (find-file-noselect name))
  ;; The command loop would run this hook, to which `eglot-ensure' adds the start.
  (run-hooks 'post-command-hook))

(defun tests-close ()
  "Close the current buffer, and wait until no server runs."
  (set-buffer-modified-p nil)
  (let ((server (eglot-current-server)))
    (kill-buffer)
    (when server (tests-wait "the end of the server" (lambda () (not (jsonrpc-running-p server)))))))

(defun tests-diagnostics ()
  "The diagnostics that Flymake shows in the current buffer."
  (flymake-diagnostics))

(defun tests-new-diagnostics ()
  "Send the changes, and wait for diagnostics of the current text."
  (eglot--signal-textDocument/didChange)
  (flymake-start)
  (tests-wait "diagnostics" #'tests-diagnostics))

(defun tests-no-diagnostics ()
  "Wait until there are no diagnostics."
  (eglot--signal-textDocument/didChange)
  (tests-wait "no diagnostics" (lambda () (not (tests-diagnostics)))))

(defun tests-go (text &optional offset)
  "Move to OFFSET characters behind the beginning of TEXT."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (+ (match-beginning 0) (or offset 0))))

(defun tests-marked (diagnostic)
  "The text that DIAGNOSTIC marks."
  (buffer-substring-no-properties (flymake-diagnostic-beg diagnostic) (flymake-diagnostic-end diagnostic)))

(defmacro tests-with (change &rest body)
  "Open the pipeline with CHANGE, nil or a list of an old and a new text, and run BODY."
  (declare (indent 1))
  `(let ((coding-system-for-write 'utf-8))
     (tests-open "hello.yaml" (if ,change (apply #'string-replace (append ,change (list tests-right))) tests-right))
     (unwind-protect
         (progn
           (tests-wait "the server" #'eglot-current-server)
           ,@body)
       (tests-close))))

(ert-deftest another-yaml-file-is-not-checked ()
  (tests-open "docker-compose.yaml" "services:\n  web: { image: nginx }\n")
  (should (eq major-mode 'yaml-mode))
  (should-not (eglot-current-server))
  (tests-close))

(ert-deftest a-file-becomes-a-pipeline ()
  (tests-open "web.yaml" "")
  (should-not (eglot-current-server))
  (insert "pipeline: web\nstesp: []\n")
  (normal-mode)
  (run-hooks 'post-command-hook)
  (tests-wait "the server" #'eglot-current-server)
  (tests-new-diagnostics)
  (tests-close))

(ert-deftest a-mistake-is-shown-and-corrected ()
  (tests-with '("upload:" "uplaod:")
    (let* ((found (tests-new-diagnostics))
           (mistake (seq-find (lambda (one) (string-match-p "unknown key 'uplaod'" (flymake-diagnostic-text one))) found)))
      (should (equal (tests-marked mistake) "uplaod"))
      (should (eq (flymake-diagnostic-type mistake) 'eglot-error)))
    (tests-go "uplaod")
    ;; As if a key had been typed; otherwise a menu would open.
    (let ((last-nonmenu-event ?a)
          (completing-read-function
           (lambda (_ actions &rest _)
             (car (seq-find (lambda (one) (string-match-p "'uplaod' with 'upload'" (car one))) actions)))))
      (call-interactively #'eglot-code-actions))
    (should (equal (buffer-string) tests-right))
    (tests-no-diagnostics)))

(ert-deftest a-diagnostic-behind-an-emoji-is-at-its-place ()
  (tests-with '("steps.begin.id" "steps.begin.idd")
    (should (equal (tests-marked (car (tests-new-diagnostics))) "idd"))
    (tests-go "idd")
    (delete-char 1)
    (insert "X")
    (eglot--signal-textDocument/didChange)
    (tests-wait "a change behind an emoji"
                (lambda () (seq-find (lambda (one) (string-match-p "Xdd" (flymake-diagnostic-text one))) (tests-diagnostics))))))

(ert-deftest completion-offers-the-outputs-of-a-step ()
  (tests-with '("steps.begin.id" "steps.begin.")
    (tests-go "steps.begin." 12)
    (completion-at-point)
    (should (equal (buffer-string) tests-right))
    (tests-no-diagnostics)))

(ert-deftest hover-explains-a-key ()
  (tests-with nil
    (tests-go "upload:")
    (let (text)
      (eglot-hover-eldoc-function (lambda (string &rest _) (setq text string)))
      (tests-wait "the explanation" (lambda () text))
      (should (string-match-p "upload" text)))))

(ert-deftest a-definition-is-found-from-a-use-behind-an-emoji ()
  (tests-with nil
    (tests-go "steps.begin.id" 12)
    (call-interactively #'xref-find-definitions)
    (should (looking-at-p "id: { value"))))

(ert-deftest symbols-are-listed ()
  (tests-with nil
    (should (string-match-p "begin" (format "%S" (funcall imenu-create-index-function))))))

(ert-deftest a-rename-to-an-invalid-name-changes-nothing ()
  (tests-with nil
    (tests-go "steps.begin.id" 12)
    (should (string-match-p "No Name" (error-message-string (should-error (eglot-rename "No Name")))))
    (should (equal (buffer-string) tests-right))))

(ert-deftest a-rename-changes-the-declaration-and-a-use-behind-an-emoji ()
  (tests-with nil
    (tests-go "steps.begin.id" 12)
    (eglot-rename "key")
    (should (equal (buffer-string)
                   (string-replace "begin.id" "begin.key" (string-replace "id: { value" "key: { value" tests-right))))
    (tests-no-diagnostics)))

(ert-run-tests-batch-and-exit)

;;; tests.el ends here

;;; drive.el --- lexls in a real Emacs -*- lexical-binding: t -*-
;; usage: emacs --batch -q -l package -f package-initialize -l drive.el eglot|lsp-mode INIT SAMPLE WORKSPACE
;; Loads INIT, which is what the manual has people put into their init.el, and visits the sample draft.

;;; Code:
(require 'json)
(setq make-backup-files nil create-lockfiles nil auto-save-default nil debug-on-error nil)

(defvar drive-client (pop command-line-args-left))
(defvar drive-init (pop command-line-args-left))
(defvar drive-sample
  (let ((json-object-type 'alist) (json-array-type 'list))
    (json-read-file (pop command-line-args-left))))
(defvar drive-workspace (file-name-as-directory (pop command-line-args-left)))
(defvar drive-passed 0)
(defvar drive-failed 0)

(defun drive-get (&rest keys)
  "What the sample has under KEYS."
  (let ((value drive-sample))
    (dolist (key keys value)
      (setq value (alist-get key value)))))

(defun drive-until (what f &optional seconds)
  "Wait until F gives something and return it; WHAT says in words what did not come in SECONDS."
  (let ((end (+ (float-time) (or seconds (string-to-number (or (getenv "LEXLS_PATIENCE") "60"))))) value)
    (while (and (not (setq value (ignore-errors (funcall f)))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or value (error "this did not come: %s" what))))

(defmacro drive-check (name &rest body)
  "Run BODY as the check NAME."
  `(condition-case problem
       (progn ,@body (setq drive-passed (1+ drive-passed)) (message "ok   %s" ,name))
     (error (setq drive-failed (1+ drive-failed)) (message "FAIL %s\n%S" ,name problem))))

(defun drive-go (text)
  "Go to the first place of TEXT, a little inside of it."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (+ (match-beginning 0) 1)))

;; What the two clients call the same things.
(defvar drive-calls
  (if (equal drive-client "eglot")
      '(:connected eglot-current-server
        :hover drive-eglot-hover
        :diagnostics drive-flymake
        :complete eglot-completion-at-point)
    '(:connected lsp-workspaces
      :hover drive-lsp-hover
      :diagnostics drive-lsp-diagnostics
      :complete lsp-completion-at-point)))

(defun drive-call (name)
  "Call the client's function NAME."
  (funcall (plist-get drive-calls name)))

(defun drive-eglot-hover ()
  "The words that eglot hands to eldoc."
  (let (shown)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
    (drive-until "the hover" (lambda () shown) 5)))

(defun drive-flymake ()
  "The messages of Flymake."
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun drive-field (object name)
  "What OBJECT has as NAME, whichever way lsp-mode was compiled to read JSON."
  (if (hash-table-p object) (gethash name object) (plist-get object (intern (concat ":" name)))))

(defun drive-lsp-hover ()
  "The words that lsp-mode renders of the hover at point."
  (lsp--render-on-hover-content
   (drive-field (lsp-request "textDocument/hover" (lsp--text-document-position-params)) "contents") t))

(defun drive-lsp-diagnostics ()
  "The messages that lsp-mode holds for the buffer."
  (mapcar (lambda (each) (drive-field each "message")) (lsp--get-buffer-diagnostics)))

(setq lsp-auto-guess-root t ; else it asks which folder is the project
      lsp-session-file (expand-file-name "lsp-session" (make-temp-file "lexls-emacs" t))
      lsp-enable-suggest-server-download nil)

(message "Emacs %s, %s" emacs-version drive-client)
(load drive-init nil t)
(find-file (concat drive-workspace (drive-get 'draft)))

(drive-check "the server starts for a draft"
  (drive-until "the server" (lambda () (run-hooks 'post-command-hook) (drive-call :connected))))

(drive-check "hover shows the authority"
  (drive-go (drive-get 'hover 'at))
  (drive-until "the whole of it"
               (lambda ()
                 (let ((text (substring-no-properties (drive-call :hover))))
                   (seq-every-p (lambda (part) (string-match-p (regexp-quote part) text))
                                (drive-get 'hover 'shows))))))

(drive-check "findings appear"
  (when (equal drive-client "eglot") (flymake-mode 1) (flymake-start))
  (dolist (finding (drive-get 'diagnostics))
    (drive-until (alist-get 'code finding)
                 (lambda ()
                   (seq-some (lambda (text) (string-match-p (regexp-quote (alist-get 'message finding)) text))
                             (drive-call :diagnostics))))))

(drive-check "a citation is completed"
  (drive-go (drive-get 'completion 'after))
  (end-of-line)
  (drive-until "the authority"
               (lambda ()
                 (let* ((found (drive-call :complete))
                        (offered (all-completions "" (nth 2 found))))
                   (seq-some (lambda (each) (string-match-p (regexp-quote (drive-get 'completion 'offers)) each))
                             offered)))))

(drive-check "the definition is the paragraph cited"
  (drive-go (drive-get 'definition 'at))
  (xref-find-definitions (xref-backend-identifier-at-point (xref-find-backend)))
  (unless (string-suffix-p (drive-get 'definition 'file) (or buffer-file-name ""))
    (error "it is in %s" buffer-file-name))
  (unless (string-prefix-p (drive-get 'definition 'line)
                           (buffer-substring (line-beginning-position) (line-end-position)))
    (error "it is line %d" (line-number-at-pos))))

;; lsp-mode warns of notifications that it does not know.
(drive-check "nothing is warned of"
  (let ((warnings (get-buffer "*Warnings*")))
    (when warnings (error "%s" (with-current-buffer warnings (buffer-string))))))

(message "%d passed, %d failed" drive-passed drive-failed)
(kill-emacs (if (= drive-failed 0) 0 1))
;;; drive.el ends here

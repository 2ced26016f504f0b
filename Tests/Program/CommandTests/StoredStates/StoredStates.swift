/// The states that runs are stored in; a test names statuses that none of them has.
extension StoredState {
  static let all: [StoredState] = steps + batches + downloads + compensations + rests

  private static let steps = [
    StoredState(
      name: "sign-in-in-flight", pipeline: "list",
      rules: [#"{"match": "/v1/login", "do": "keep"}"#],
      shows: [#"frame .*"sign_in":\{"status":"running""#], end: ["done": 12],
      reports: [
        "interrupted: no items",
        "step 'sign_in': interrupted: no process is working on it; next: response to 'sign_in'",
      ]),
    StoredState(
      name: "back-off", pipeline: "upload",
      rules: [#"{"match": "POST /v1/uploads a", "do": "answer", "status": 503}"#],
      shows: [#"0/0 1 .*"allocate":\{"status":"(pending|unknown)".*"not_before""#, #"0/1 4"#],
      reports: [backingOff]),
    StoredState(
      name: "allocation-unanswered", pipeline: "upload",
      rules: [#"{"match": "POST /v1/uploads a", "do": "keep"}"#],
      shows: [#"0/0 1 .*"allocate":\{"status":"running""#, #"0/1 4"#]),
    StoredState(
      name: "transfer-in-flight", pipeline: "upload",
      rules: [#"{"match": "/content a", "do": "hold"}"#],
      shows: [#"0/0 1 .*"body":.*"upload":\{"status":"running""#, #"0/1 4"#],
      reports: [waiting("transfer of 'upload'")]),
    StoredState(
      name: "transfer-unanswered", pipeline: "upload",
      rules: [#"{"match": "/content a", "do": "keep"}"#],
      shows: [#"0/0 1 .*"upload":\{"status":"running""#, #"0/1 4"#],
      reports: [waiting("transfer of 'upload'")]),
    StoredState(
      name: "turn-in-flight", pipeline: "turns",
      rules: [#"{"match": "PUT /v1/files/a.txt", "do": "hold", "from": 2}"#],
      shows: [#"0/0 1 .*"sent":.*"turn":2.*"put":\{"status":"running""#],
      reports: [waiting("transfer of 'put', turn 2 of 'sent': times 1")]),
    StoredState(
      name: "part-in-flight", pipeline: "parts",
      rules: [#"{"match": "PUT /v1/files/a.txt.2", "do": "hold"}"#],
      shows: [#"0/0 1 .*"parts":\{"count":3,"active":\{"1":\{"put":\{"status":"running""#],
      reports: [waiting("the parts of 'parts', 1 of 3 parts of 'parts' are done, in progress: 2")]),
    StoredState(
      name: "renewal", pipeline: "upload",
      rules: [
        #"{"match": "/v1/login", "do": "hold", "from": 2}"#,
        #"""
        {"match": "/content a", "do": "answer", "status": 401, "headers": {"WWW-Authenticate": "Bearer"}}
        """#,
      ],
      shows: [
        #"frame .*"sign_in":\{"status":"running""#, #"0/0 1 .*"upload":\{"status":"running""#,
      ],
      reports: [waiting("transfer of 'upload'")]),
    StoredState(
      name: "probe-in-flight", pipeline: "upload",
      rules: [
        #"{"match": "/finalize a", "do": "lose"}"#, #"{"match": "GET .* a", "do": "hold"}"#,
      ], shows: [#"0/0 1 .*"finalize":\{"status":"probing""#, #"0/1 4"#]),
    StoredState(
      name: "outcome-unknown", pipeline: "upload",
      rules: [
        #"{"match": "/finalize a", "do": "lose"}"#,
        #"{"match": "GET .* a", "do": "answer", "status": 503}"#,
      ], shows: [#"0/0 1 .*"finalize":\{"status":"unknown".*"not_before""#, #"0/1 4"#],
      reports: [backingOff]),
    StoredState(
      name: "list-half-read", pipeline: "list",
      rules: [#"{"match": "PUT .*", "do": "hold", "from": 5}"#],
      shows: [#"0/3 4"#, #"0/4 1 .*"put":\{"status":"running""#, #"0/11 0"#], end: ["done": 12],
      reports: ["0/4 5: interrupted: no process is working on it; next: transfer of 'put'"]),
  ]

  private static let batches = [
    StoredState(
      name: "batch-standing", pipeline: "batch",
      rules: [#"{"match": "/content a", "do": "hold"}"#],
      shows: [
        #"0/1 1 .*"finalize":\{"status":"queued""#, #"0/2 1 .*"finalize":\{"status":"queued""#,
      ],
      reports: [waiting("transfer of 'upload'")]),
    StoredState(
      name: "batch-unanswered", pipeline: "batch",
      rules: [#"{"match": "/v1/finalize", "do": "keep"}"#],
      shows: [#"0/0 1 .*"finalize":\{"status":"running".*"batch""#]),
    StoredState(
      name: "batch-open", pipeline: "batch",
      rules: [#"{"match": "/v1/finalize", "do": "lose"}"#],
      shows: [#"0/0 1 .*"finalize":\{"status":"[a-z]+".*"not_before".*"open":true"#],
      reports: [backingOff]),
  ]

  private static let downloads = [
    StoredState(
      name: "polling", pipeline: "download",
      rules: [#"{"match": "GET .* a", "do": "answer", "status": 200, "json": {"state": "busy"}}"#],
      shows: [#"0/0 1 .*"arrival":\{"status":"pending".*"not_before""#, #"0/1 4"#],
      reports: [backingOff]),
    StoredState(
      name: "download-begun", pipeline: "download",
      rules: [#"{"match": "GET .*/content a", "do": "half"}"#],
      shows: [#"0/0 1 .*"copy":\{"status":"running""#, #"0/1 4"#],
      reports: [waiting("transfer of 'copy'")]),
  ]

  private static let held = #"{"match": "/content [ab]", "do": "hold"}"#
  private static let sending = #"0/[01] 1 .*"upload":\{"status":"running""#

  private static let compensations = [
    StoredState(
      name: "cancelling", pipeline: "upload",
      rules: [held, #"{"match": "DELETE", "do": "hold"}"#],
      shows: [#"run .*"status":"cancelling""#, #"0/0 1 .*"abandoning":.*"attempt":1"#],
      stop: .command("cancel"), way: .cancel, end: ["cancelled": 3], status: "cancelled",
      reports: [
        "cancelling: 2 interrupted, 1 pending", "continue cancelling with `pipeline cancel ",
        waiting("step 'sign_in'"),
      ]),
    StoredState(
      name: "cancelling-back-off", pipeline: "upload",
      rules: [held, #"{"match": "DELETE", "do": "answer", "status": 503}"#],
      shows: [#"run .*"status":"cancelling""#, #"0/0 1 .*"abandoning":.*"not_before""#],
      stop: .command("cancel"), way: .cancel, end: ["cancelled": 3], status: "cancelled",
      reports: [
        "cancelling: 2 interrupted, 1 pending", "continue cancelling with `pipeline cancel ",
        backingOff,
      ]),
    StoredState(
      name: "cancelled-with-remains", pipeline: "upload",
      rules: [held, #"{"match": "DELETE", "do": "answer", "status": 400}"#],
      shows: [#"run .*"status":"cancelled""#, #"0/0 [36] .*"left":\[0\]"#],
      stop: .command("cancel"), way: .cancel, end: ["cancelled": 3], status: "cancelled",
      reports: [
        "2 items left something at the server", "not undone at the server: DELETE returned 400",
      ]),
    StoredState(
      name: "failing", pipeline: "upload",
      rules: [
        #"{"match": "/finalize a", "do": "answer", "status": 418}"#,
        #"{"match": "DELETE", "do": "hold"}"#,
      ], shows: [#"0/0 1 .*"abandoning":"#, #"0/1 4"#, #"0/2 4"#], exit: 1,
      end: ["done": 2, "failed": 1],
      reports: ["2 done, 1 interrupted", waiting("step 'sign_in'")]),
    StoredState(
      name: "replaced", pipeline: "upload",
      rules: [
        #"{"match": "/content a", "do": "answer", "status": 404, "to": 1}"#,
        #"{"match": "DELETE", "do": "hold"}"#,
      ], shows: [#"0/0 1 .*"abandoning":.*"remnants":"#, #"0/1 4"#, #"0/2 4"#],
      end: ["done": 3],
      reports: ["2 done, 1 interrupted", waiting("step 'sign_in'")]),
  ]

  private static let rests = [
    StoredState(
      name: "paused", pipeline: "upload",
      rules: [#"{"match": "/finalize a", "do": "lose"}"#, #"{"match": "GET", "do": "hold"}"#],
      shows: [#"run .*"status":"paused""#], stop: .command("pause"),
      reports: [
        "because: paused by `pipeline pause`", "the run: paused: paused by `pipeline pause`",
      ]),
    StoredState(
      name: "paused-by-a-step", pipeline: "upload",
      rules: [#"{"match": "/v1/login", "do": "answer", "status": 400}"#],
      shows: [#"run .*"status":"paused".*"reason""#], stop: .rests,
      reports: ["3 pending", "because: step 'sign_in': POST returned 400"]),
    StoredState(
      name: "cancelled", pipeline: "upload", rules: [held],
      shows: [#"run .*"status":"cancelled""#, #"0/2 6"#], stop: .command("cancel"), way: .cancel,
      end: ["cancelled": 3], status: "cancelled",
      reports: ["3 cancelled, ", "nothing is waiting"]),
    StoredState(
      name: "finished", pipeline: "upload", shows: [#"run .*"status":"finished""#],
      stop: .rests,
      reports: ["3 done, 162 B", "nothing is waiting"]),
    StoredState(
      name: "finished-with-open-items", pipeline: "upload",
      rules: [
        #"{"match": "POST /v1/uploads a", "do": "answer", "status": 406}"#,
        #"{"match": "POST /v1/uploads b", "do": "answer", "status": 409}"#,
        #"{"match": "POST /v1/uploads c", "do": "answer", "status": 418}"#,
      ], shows: [#"0/0 5"#, #"0/1 2 .*"reason""#, #"0/2 3 .*"reason""#], stop: .rests, way: .retry,
      end: ["done": 2, "skipped": 1],
      reports: [
        "1 failed, 1 paused, 1 skipped", "0/1 files/b.txt: paused: the server wants a person",
        "0/2 files/c.txt: failed: the server refuses the file",
      ]),
    StoredState(
      name: "retried", pipeline: "upload",
      rules: [
        #"{"match": "POST /v1/uploads [abc]", "do": "answer", "status": 409, "to": 3}"#,
        #"{"match": "POST /v1/uploads [ab]", "do": "keep"}"#,
      ], shows: [#"run .*"requeued":true"#, #"0/[01] 1 .*"allocate":\{"status":"running""#],
      stop: .afterwards(.retry),
      reports: ["interrupted: no process is working on it; next: step 'sign_in'"]),
  ]
}

/// Small pipelines that the tests write down and run.
enum Definitions {
  /// One PUT for each file; two quick attempts.
  static let put = """
    pipeline: put
    inputs:
      server: { type: url }
      files: { type: files, default: "files/*.bin" }
    retry:
      standard: { attempts: 2, backoff: { initial: 10ms, max: 50ms } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          - id: put
            upload:
              url: ${{ inputs.server + "/v1/files/" + urlEscape(file.name) }}
              file: ${{ file }}
    """

  /// Uploads each file, and gets it back within a disk budget.
  static let fetch = """
    pipeline: fetch
    inputs:
      server: { type: url }
      files: { type: files, default: "files/*.bin" }
    budgets:
      disk: 10 KiB
    retry:
      standard: { attempts: 3, backoff: { initial: 50ms, max: 200ms } }
    steps:
      - id: sign_in
        request: { method: POST, url: "${{ inputs.server }}/v1/login", json: { user: demo, password: demo } }
        effect: repeatable
        outputs: { token: { value: "${{ response.json.access_token }}", secret: true, expires: { in: 1h } } }
      - for_each: file
        in: ${{ inputs.files }}
        steps:
          - id: allocate
            request:
              method: POST
              url: ${{ inputs.server }}/v1/uploads
              bearer: ${{ steps.sign_in.token }}
              json: { name: "${{ file.name }}", size: "${{ file.size }}" }
            effect: create
            idempotency: { header: Idempotency-Key }
            outputs: { id: "${{ response.json.id }}" }
          - id: put
            upload:
              url: ${{ inputs.server }}/v1/uploads/${{ steps.allocate.id }}/content
              bearer: ${{ steps.sign_in.token }}
              file: ${{ file }}
          - id: get
            depends_on: [put]
            download:
              url: ${{ inputs.server }}/v1/uploads/${{ steps.allocate.id }}/content
              bearer: ${{ steps.sign_in.token }}
              size: ${{ file.size }}
    """

  /// Sends a form with each file in it; the budget is smaller than some of them.
  static let copy = """
    pipeline: copy
    inputs:
      server: { type: url }
      files: { type: files, default: "files/*.bin" }
    budgets:
      disk: 10 KiB
    retry:
      standard: { attempts: 3, backoff: { initial: 50ms, max: 200ms } }
    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          - id: copy
            materialize:
              multipart:
                - { name: file, file: "${{ file }}" }
          - id: put
            upload:
              url: ${{ inputs.server + "/v1/files/" + urlEscape(file.name) }}
              file: ${{ steps.copy.file }}
    """

  /// Inputs of many types, shown by a dry run.
  static let inputs = """
    pipeline: inputs
    inputs:
      server: { type: url, default: "http://127.0.0.1:1" }
      word: { type: string, default: "from-default" }
      count: { type: int, default: 1 }
      flag: { type: bool, default: false }
      span: { type: duration, default: 1s }
      room: { type: size, default: 1 KiB }
      key: { type: secret }
    steps:
      - id: show
        request:
          method: POST
          url: ${{ inputs.server + "/v1/" + inputs.word }}
          bearer: ${{ inputs.key }}
          json:
            count: ${{ inputs.count }}
            flag: ${{ inputs.flag }}
            room: ${{ inputs.room }}
            span: ${{ string(inputs.span) }}
    """
}

// Generated from Pipelines/catalogue/tus.yaml by `make generated`.
extension PipelineTemplate {
  static let tusText = ##"""
    # tus 1.0 (https://tus.io/protocols/resumable-upload): files are sent in pieces, and a file that was cut goes on where the
    # server says.
    # Proven against tuspyserver 4.4.
    #
    #   pipeline run tus.yaml --input server=https://tus.example.com/files/ --input files='Videos/*'
    pipeline: tus
    description: Uploads files to a tus 1.0 server in pieces, and goes on inside a file where the server says.

    inputs:
      server: { type: url, description: The creation endpoint. }
      files: { type: files, description: "The files to upload; each is sent under its name." }
      chunk_size: { type: size, default: 32 MiB, description: The most bytes that one request sends. }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # A creation whose response is lost leaves an empty upload, which the server removes when it expires: tus has no key
          # to recognize a repeat by.
          - id: create
            request:
              method: POST
              url: ${{ inputs.server }}
              headers:
                Tus-Resumable: 1.0.0
                Upload-Length: ${{ string(file.size) }}
                Upload-Metadata: filename ${{ base64.encode(bytes(file.name)) }},filetype YXBwbGljYXRpb24vb2N0ZXQtc3RyZWFt
            effect: repeatable
            outputs:
              # Location may be relative.
              url: ${{ resolve(inputs.server, response.headers.location) }}

          - id: sent
            repeat:
              from: { offset: 0 }
              until: ${{ steps.sent.offset == file.size }}
              # One request for each piece: the server is asked only after something went wrong.
              resync:
                request:
                  method: HEAD
                  url: ${{ steps.create.url }}
                  headers: { Tus-Resumable: 1.0.0 }
                next: { offset: "${{ int(response.headers['upload-offset']) }}" }
              steps:
                - id: send
                  upload:
                    method: PATCH
                    url: ${{ steps.create.url }}
                    headers:
                      Tus-Resumable: 1.0.0
                      Upload-Offset: ${{ string(steps.sent.offset) }}
                      Content-Type: application/offset+octet-stream
                    file: ${{ file }}
                    range:
                      offset: ${{ steps.sent.offset }}
                      length: ${{ math.least(inputs.chunk_size, file.size - steps.sent.offset) }}
                  on:
                    # Another offset than the server has, or a lock that an earlier request still holds.
                    - { if: "${{ response.status in [409, 423] }}", then: resync }
                    # 403 means this only when the server is asked; to a piece, it means that it may not be sent.
                    - { if: "${{ response.status in [404, 410] }}", expired: create }
                    - { if: "${{ response.status == 507 }}", then: pause, message: "the server has no space left; make some, then `pipeline retry`" }
                  effect: repeatable
                  outputs:
                    offset: ${{ int(response.headers["upload-offset"]) }}
              next: { offset: "${{ steps.send.offset }}" }
            on:
              - { if: "${{ response.status == 423 }}", then: retry }
              - { if: "${{ response.status in [403, 404, 410] }}", expired: create }
        on_abandon:
          # The termination extension; a server without it answers 405 and removes the upload when it expires.
          - request: { method: DELETE, url: "${{ steps.create.url }}", headers: { Tus-Resumable: 1.0.0 } }

    """##
}

// Generated from Pipelines/catalogue/dropbox.yaml by `make generated`.
extension PipelineTemplate {
  static let dropboxText = ##"""
    # Dropbox upload sessions (https://www.dropbox.com/developers/documentation/http/documentation#files-upload_session-start): a file is
    # appended to a session piece by piece, goes on where the server says, and many sessions become files with one request.
    #
    #   pipeline run dropbox.yaml --input client=APP_KEY --input refresh_token=@TOKEN --input files='Pictures/**/*'
    pipeline: dropbox
    description: Uploads files to Dropbox through sessions, commits many at once, and skips those that are there.

    inputs:
      server: { type: url, default: "https://content.dropboxapi.com", description: Root of the content API. }
      api: { type: url, default: "https://api.dropboxapi.com", description: Root of the other API. }
      client: { type: string, description: The app key. }
      refresh_token: { type: secret, description: "What a person obtained by signing in with offline access." }
      folder: { type: string, default: "", description: "The folder, such as /Pictures; it is made. Empty for the root." }
      files: { type: files, description: The files to upload. }
      chunk_size: { type: size, default: 32 MiB, description: "The most bytes that one request sends, at most 150 MB." }

    retry: { standard: { attempts: 6, backoff: { initial: 1s, max: 1m } } }

    credentials:
      # An access token lives for four hours. The server does not rotate the refresh token.
      dropbox: { oauth2: { token_url: "${{ inputs.api }}/oauth2/token", client: "${{ inputs.client }}", client_in: body, refresh_token: "${{ inputs.refresh_token }}" } }

    defaults: { url: "${{ inputs.server }}/2/files", credentials: dropbox }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # The content hash of Dropbox: of the digests of all blocks of 4 MiB.
          - id: sum
            digest: { file: "${{ file }}", take: [sha256_blocks_4mib] }

          # A session ends when it is committed, or 7 days after it began, and both look alike: the file says which.
          - id: look
            request: { method: POST, url: "${{ inputs.api }}/2/files/get_metadata", credentials: dropbox, json: { path: "${{ inputs.folder }}/${{ file.relative }}" } }
            effect: repeatable
            on:
              - { if: "${{ response.status == 200 && response.json.?content_hash.orValue('') == steps.sum.sha256_blocks_4mib.hex }}", then: finish_item }
              - { if: "${{ response.status == 200 || response.status == 409 && response.text.contains('not_found') }}", then: success }

          # A session whose response is lost holds nothing, and ends by itself.
          - id: open
            request:
              method: POST
              url: /upload_session/start
              headers: { Content-Type: application/octet-stream, Dropbox-API-Arg: '${{ jsonHeader({"close": file.size == 0}) }}' }
            effect: repeatable
            depends_on: [look]
            outputs:
              id: { value: "${{ response.json.session_id }}", expires: { in: 7d, skew: 1h } }

          - id: sent
            repeat:
              from: { offset: 0 }
              until: ${{ steps.sent.offset == file.size }}
              # No request asks for the offset, but an empty piece at another one is refused with the right one.
              resync:
                request:
                  method: POST
                  url: /upload_session/append_v2
                  headers: { Content-Type: application/octet-stream, Dropbox-API-Arg: '${{ jsonHeader({"cursor": {"session_id": steps.open.id, "offset": steps.sent.offset}}) }}' }
                  example: { status: 409, json: { error: { .tag: incorrect_offset, correct_offset: "${{ steps.sent.offset }}" } } }
                next:
                  # Only the last piece closes the session.
                  offset: '${{ response.status == 200 ? steps.sent.offset : response.json.error[".tag"] == "closed" ? file.size : int(response.json.error.correct_offset) }}'
              steps:
                - id: send
                  let: { length: "${{ math.least(inputs.chunk_size, file.size - steps.sent.offset) }}" }
                  upload:
                    method: POST
                    url: /upload_session/append_v2
                    headers:
                      Content-Type: application/octet-stream
                      Dropbox-API-Arg: '${{ jsonHeader({"cursor": {"session_id": steps.open.id, "offset": steps.sent.offset}, "close": steps.sent.offset + length == file.size}) }}'
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.offset }}", length: "${{ length }}" }
                  effect: repeatable
                  on:
                    - { if: "${{ response.status == 409 && response.text.matches('incorrect_offset|closed') }}", then: resync }
                    - { if: "${{ response.status == 409 && response.text.contains('not_found') }}", expired: look }
                    - { if: "${{ response.status == 409 }}", then: fail, message: "Dropbox says ${{ response.json.error_summary }}" }
                  outputs: { offset: "${{ steps.sent.offset + length }}" }
              next: { offset: "${{ steps.send.offset }}" }
            on:
              - { if: "${{ response.status == 409 && response.text.matches('incorrect_offset|closed') }}", then: success }
              - { if: "${{ response.status == 409 && response.text.contains('not_found') }}", expired: look }

          # One request and one lock for up to 100 files (Dropbox takes 1000). A session that was committed before is not found, and `look` then finds the file.
          - id: commit
            batch: { items: 100, within: 5s, entry: { cursor: { session_id: "${{ steps.open.id }}", offset: "${{ file.size }}" }, commit: { path: "${{ inputs.folder }}/${{ file.relative }}", mode: overwrite } } }
            request:
              method: POST
              url: ${{ inputs.api }}/2/files/upload_session/finish_batch_v2
              credentials: dropbox
              json: { entries: "${{ batch.entries }}" }
              example: { json: { entries: "${{ batch.entries.map(one, {'.tag': 'success'}) }}" } }
            effect: repeatable
            depends_on: [sent]
            results:
              each: ${{ response.json.entries[batch.index] }}
              on:
                - { if: "${{ batch.result['.tag'] == 'success' }}", then: success }
                - { if: "${{ json(batch.result).contains('too_many_write_operations') }}", then: retry }
                - { if: "${{ json(batch.result).contains('not_found') }}", expired: look }
                - { if: "${{ json(batch.result).contains('insufficient_space') }}", then: pause, message: "Dropbox is full; make space, then `pipeline retry`" }
                - { then: fail, message: "Dropbox says ${{ json(batch.result) }}" }

    """##
}

// Generated from Pipelines/catalogue/box.yaml by `make generated`.
extension PipelineTemplate {
  static let boxText = ##"""
    # Box, chunked uploads (https://developer.box.com/guides/uploads/chunked/): the server says how large each part is, takes them in any
    # order, and makes a file of them. Files below 20 MB are sent whole.
    #
    #   pipeline run box.yaml --input client=ID --input secret=@SECRET --input refresh_token=@TOKEN --input files='Videos/*'
    # A session lives for 7 days (same page), and says when it ends. What one that has ended answers is not documented: 404, 409 and 410
    # are taken for it.
    pipeline: box
    description: Uploads files to Box, large ones in parallel parts with their digests, and goes on inside a file.

    inputs:
      server: { type: url, default: "https://upload.box.com/api/2.0", description: Root of the upload API. }
      login: { type: url, default: "https://api.box.com/oauth2/token", description: Where tokens come from. }
      client: { type: string, description: ID of the application. }
      secret: { type: secret, description: The application's secret. }
      refresh_token: { type: secret, description: "What a person obtained by signing in. Each is used once; the next one is kept sealed." }
      folder: { type: string, default: "0", description: "ID of the folder; 0 is the root." }
      files: { type: files, description: The files to upload. }

    budgets: { disk: 512 MiB }
    retry: { standard: { attempts: 6, backoff: { initial: 1s, max: 1m } } }

    credentials:
      box: { oauth2: { token_url: "${{ inputs.login }}", client: "${{ inputs.client }}", secret: "${{ inputs.secret }}", client_in: body, refresh_token: "${{ inputs.refresh_token }}" } }

    defaults: { url: "${{ inputs.server }}", credentials: box }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          - id: sum
            digest: { file: "${{ file }}", take: [sha1] }

          - id: body
            if: ${{ file.size < 20 * MB }}
            materialize:
              multipart: [{ name: attributes, text: '${{ json({"name": file.name, "parent": {"id": inputs.folder}}) }}' }, { name: file, file: "${{ file }}" }]

          - id: put
            if: ${{ file.size < 20 * MB }}
            upload: { method: POST, url: /files/content, headers: { Content-MD5: "${{ steps.sum.sha1.hex }}" }, file: "${{ steps.body.file }}" }
            effect: repeatable  # a repeat is refused, since the name is taken; the response says by what
            on: &taken
              - { if: "${{ response.status == 409 && response.json.?context_info.?conflicts.?sha1.orValue('') == steps.sum.sha1.hex }}", then: finish_item }
              - { if: "${{ response.status == 409 && response.text.contains('item_name_in_use') }}", then: fail, message: "another file has this name" }
              - { if: "${{ response.text.contains('storage_limit_exceeded') }}", then: pause, message: "Box is full; make space, then `pipeline retry`" }

          # A session whose response is lost holds nothing, and expires. Opening also says whether the file is there already.
          - id: open
            if: ${{ file.size >= 20 * MB }}
            request:
              method: POST
              url: /files/upload_sessions
              json: { folder_id: "${{ inputs.folder }}", file_size: "${{ file.size }}", file_name: "${{ file.name }}" }
              example: { status: 201, json: { id: "s${{ request.number }}", part_size: 16777216, session_expires_at: "${{ string(now + duration('168h')) }}" } }
            effect: repeatable
            on: *taken
            outputs: { id: { value: "${{ response.json.id }}", expires: { at: "${{ timestamp(response.json.session_expires_at) }}", skew: 60s } }, part_size: "${{ int(response.json.part_size) }}" }

          - id: parts
            if: ${{ file.size >= 20 * MB }}
            for_each: part
            in: '${{ parts(file.size, {"size": steps.open.part_size}) }}'
            concurrency: 3
            steps:
              - id: part_sum
                digest: { file: "${{ file }}", range: { offset: "${{ part.offset }}", length: "${{ part.length }}" }, take: [sha1] }
              - id: send
                upload:
                  url: /files/upload_sessions/${{ steps.open.id }}
                  headers: { Digest: "sha=${{ steps.part_sum.sha1.base64 }}", Content-Range: "bytes ${{ part.offset }}-${{ part.offset + part.length - 1 }}/${{ file.size }}" }
                  file: ${{ file }}
                  range: { offset: "${{ part.offset }}", length: "${{ part.length }}" }
                on:
                  # A part is never written twice: it is there from a request whose response was lost.
                  - { if: "${{ response.status == 409 }}", then: success }
                  - { if: "${{ response.status in [404, 410] }}", expired: open }

          # The server's list, page by page: it has the IDs of parts whose response was lost, too. It may lag behind.
          - id: listed
            if: ${{ file.size >= 20 * MB }}
            depends_on: [parts]
            repeat:
              from: { count: 0, list: "${{ [] }}" }
              until: '${{ steps.listed.count >= parts(file.size, {"size": steps.open.part_size}).size() }}'
              steps:
                - id: list
                  request:
                    url: /files/upload_sessions/${{ steps.open.id }}/parts
                    query: { offset: "${{ string(steps.listed.count) }}", limit: "1000" }
                    example: { json: { entries: '${{ parts(file.size, {"size": steps.open.part_size}).map(p, {"part_id": string(p.number), "offset": p.offset, "size": p.length}) }}' } }
                  on: [{ if: "${{ response.status in [404, 410] }}", expired: open }]
                  outputs: { entries: "${{ response.json.entries }}" }
              next: { count: "${{ steps.listed.count + steps.list.entries.size() }}", list: "${{ steps.listed.list + steps.list.entries }}" }

          - id: commit
            if: ${{ file.size >= 20 * MB }}
            request: { method: POST, url: "/files/upload_sessions/${{ steps.open.id }}/commit", headers: { Digest: "sha=${{ steps.sum.sha1.base64 }}" }, json: { parts: "${{ steps.listed.list }}" } }
            effect: repeatable
            on:
              # It is still put together. Right after the last part the server may not know all of them.
              - { if: "${{ response.status == 202 }}", then: poll, after: "${{ seconds(header(response.headers, 'retry-after').orValue('5')) }}" }
              - { if: "${{ response.status == 400 && response.text.contains('parts_mismatch') }}", then: retry, after: 5s }
              - { if: "${{ response.status in [404, 409, 410] }}", expired: open }
        on_abandon:
          - request: { method: DELETE, url: "/files/upload_sessions/${{ steps.open.id }}" }

    """##
}

// Generated from Pipelines/catalogue/nextcloud.yaml by `make generated`.
extension PipelineTemplate {
  static let nextcloudText = ##"""
    # Nextcloud, chunked upload 2 (https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/chunking.html): large files
    # are sent in chunks to a folder, several at once, and put together by the server.
    #
    #   pipeline run nextcloud.yaml --input server=https://cloud.example.com --input user=me --input password=@APP_PASSWORD --input files='Videos/*'
    pipeline: nextcloud
    description: Uploads files to Nextcloud, large ones in chunks, and waits until they are put together.

    inputs:
      server: { type: url, description: "Root of the server, without a slash at the end." }
      user: { type: string }
      password: { type: secret, description: An app password. }
      folder: { type: string, default: "", description: "The folder, such as /Films. It is made, and those below it; those above it are there." }
      files: { type: files, description: The files to upload. }
      chunk_size: { type: size, default: 10 MiB, description: "5 MB to 5 GB. A file that is not larger is sent whole; chunks grow so that there are at most 10,000." }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    credentials:
      app: { basic: { user: "${{ inputs.user }}", password: "${{ inputs.password }}" } }

    defaults:
      url: ${{ inputs.server }}/remote.php/dav
      credentials: app

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # The chunks' folder is gone when the file is there, and after a day without a chunk: the file says which.
          - id: look
            let:
              place: files/${{ urlEscape(inputs.user) }}${{ urlEscapePath(inputs.folder) }}/${{ urlEscapePath(file.relative) }}
            request: { method: HEAD, url: "/${{ place }}" }
            on:
              - if: >-
                  ${{ response.status == 200 && header(response.headers, "content-length").orValue("") == string(file.size) &&
                  httpDate(response.headers["last-modified"]) + duration("1s") > file.modified }}
                then: finish_item
              - { if: "${{ response.status in [200, 404] }}", then: success }
            outputs:
              place: ${{ place }}
              destination: ${{ inputs.server }}/remote.php/dav/${{ place }}
              # The folders above the file, from `folder` on.
              folders: '${{ cel.bind(names, file.relative.split("/"), names.transformList(i, name, names.transformList(j, one, j < i, one).join("/"))) }}'

          # One after the other: a folder needs the one above it (409).
          - id: folders
            for_each: above
            in: ${{ steps.look.folders }}
            concurrency: 1
            steps:
              - id: make
                request: { method: MKCOL, url: "/files/${{ urlEscape(inputs.user) }}${{ urlEscapePath(inputs.folder) }}/${{ urlEscapePath(above) }}" }
                # It is there.
                on: [{ if: "${{ response.status == 405 }}", then: success }]

          - id: put
            if: ${{ file.size <= inputs.chunk_size }}
            upload: { method: PUT, url: "/${{ steps.look.place }}", file: "${{ file }}" }
            depends_on: [folders]
            on: [&full { if: "${{ response.status == 507 }}", then: pause, message: "the quota is used up; make space, then `pipeline retry`" }]

          - id: open
            if: ${{ file.size > inputs.chunk_size }}
            request:
              method: MKCOL
              url: /uploads/${{ urlEscape(inputs.user) }}/${{ item.key }}
              headers: { Destination: "${{ steps.look.destination }}" }
            # 405: the folder is there, from a request whose response was lost.
            on: [{ if: "${{ response.status == 405 }}", then: success }]
            outputs:
              folder: { value: "${{ item.key }}", expires: { in: 1d, sliding: true } }

          - id: chunks
            if: ${{ file.size > inputs.chunk_size }}
            for_each: chunk
            in: '${{ parts(file.size, {"size": inputs.chunk_size, "min": 5 * MB, "max_count": 10000}) }}'
            concurrency: 3
            steps:
              - id: send
                upload:
                  method: PUT
                  url: /uploads/${{ urlEscape(inputs.user) }}/${{ steps.open.folder }}/${{ string(chunk.number) }}
                  headers: { Destination: "${{ steps.look.destination }}", OC-Total-Length: "${{ string(file.size) }}" }
                  file: ${{ file }}
                  range: { offset: "${{ chunk.offset }}", length: "${{ chunk.length }}" }
                on: [{ if: "${{ response.status == 404 }}", expired: look }, *full]

          - id: assemble
            if: ${{ file.size > inputs.chunk_size }}
            request:
              method: MOVE
              url: /uploads/${{ urlEscape(inputs.user) }}/${{ steps.open.folder }}/.file
              headers: { Destination: "${{ steps.look.destination }}", OC-Total-Length: "${{ string(file.size) }}" }
              timeout: 30s
            depends_on: [folders, chunks]
            on:
              # The server is putting it together; when it is done, the folder is gone.
              - { if: "${{ response.status == 423 }}", then: poll, after: 5s }
              - { if: "${{ response.status == 404 && 423 in history.statuses }}", then: success }
              - { if: "${{ response.status == 404 }}", expired: look }
              - *full
        on_abandon:
          - request: { method: DELETE, url: "/uploads/${{ urlEscape(inputs.user) }}/${{ steps.open.folder }}" }

    """##
}

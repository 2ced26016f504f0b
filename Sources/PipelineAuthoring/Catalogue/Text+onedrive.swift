// Generated from Pipelines/catalogue/onedrive.yaml by `make generated`.
extension PipelineTemplate {
  static let onedriveText = ##"""
    # OneDrive and SharePoint through Microsoft Graph (https://learn.microsoft.com/graph/api/driveitem-createuploadsession): a session takes
    # a file in ranges of whole 320 KiB, one after the other, and lives on with each of them. That a session which is gone answers 404, and
    # that its URL gets no token, is on the same page.
    #
    #   pipeline run onedrive.yaml --input client=APP_ID --input refresh_token=@TOKEN --input files='Pictures/*'
    pipeline: onedrive
    description: Uploads files to OneDrive through upload sessions, goes on where the server says, and skips those that are there.

    inputs:
      server: { type: url, default: "https://graph.microsoft.com/v1.0/me/drive", description: The drive. }
      login: { type: url, default: "https://login.microsoftonline.com/common/oauth2/v2.0/token", description: Where tokens come from. }
      client: { type: string, description: ID of the application. }
      refresh_token: { type: secret, description: "What a person obtained by signing in with Files.ReadWrite and offline_access." }
      folder: { type: string, default: "", description: "The folder, such as /Pictures; it is made. Empty for the root." }
      files: { type: files, description: The files to upload. }
      chunk_size: { type: size, default: 10 MiB, description: "The most bytes that one request sends: 320 KiB to 60 MiB, rounded down to whole 320 KiB. A file that is not larger is sent whole." }

    retry: { standard: { attempts: 6, backoff: { initial: 1s, max: 1m } } }

    credentials:
      graph: { oauth2: { token_url: "${{ inputs.login }}", client: "${{ inputs.client }}", client_in: body, refresh_token: "${{ inputs.refresh_token }}", scope: Files.ReadWrite offline_access } }

    defaults: { url: "${{ inputs.server }}", credentials: graph }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # A session is unknown after its last range and after it expired: the file says which. It has the time of the local one.
          - id: look
            let: { path: "root:${{ urlEscapePath(inputs.folder) }}/${{ urlEscapePath(file.relative) }}" }
            request: { url: "/${{ path }}", example: { status: 404 } }
            on:
              - if: >-
                  ${{ response.status == 200 && response.json.size == file.size &&
                  timestamp(response.json.fileSystemInfo.lastModifiedDateTime) + duration("1s") > file.modified }}
                then: finish_item
              - { if: "${{ response.status in [200, 404] }}", then: success }
            outputs: { path: "${{ path }}" }

          # A session takes no empty file, and a small one needs none.
          - id: put
            if: ${{ file.size <= inputs.chunk_size }}
            upload: { url: "/${{ steps.look.path }}:/content", file: "${{ file }}" }

          # A session whose response is lost holds nothing, and expires.
          - id: open
            if: ${{ file.size > inputs.chunk_size }}
            request:
              method: POST
              url: /${{ steps.look.path }}:/createUploadSession
              json:
                item:
                  "@microsoft.graph.conflictBehavior": replace
                  fileSystemInfo: { lastModifiedDateTime: "${{ string(file.modified) }}" }
            effect: repeatable
            on:
              - &full { if: "${{ response.status == 507 }}", then: pause, message: "the drive is full; make space, then `pipeline retry`" }
              # The one whose response was lost; it ends after some minutes.
              - { if: "${{ response.status == 409 && response.text.contains('session already exists') }}", then: retry, after: 5m }
            outputs:
              # Anyone who has the URL may write there. Each range that is taken puts the end off.
              url:
                value: ${{ response.json.uploadUrl }}
                secret: sealed
                expires: { in: "${{ timestamp(response.json.expirationDateTime) - now }}", sliding: true, skew: 60s }

          - id: sent
            if: ${{ file.size > inputs.chunk_size }}
            repeat:
              from: { offset: 0 }
              until: ${{ steps.sent.offset == file.size }}
              # No token goes to the session's URL: a server may answer 401 if one does.
              resync:
                request:
                  url: ${{ steps.open.url }}
                  example: { json: { nextExpectedRanges: ["${{ steps.sent.offset }}-"] } }
                # "12345-" or "12345-55232": the ranges that are missing, of which the first goes on.
                next: { offset: '${{ int(capture(response.json.nextExpectedRanges[0], "^(\\d+)-").value()) }}' }
              steps:
                - id: send
                  let:
                    end: ${{ math.least(steps.sent.offset + math.greatest(inputs.chunk_size / 327680, 1) * 327680, file.size) }}
                  upload:
                    url: ${{ steps.open.url }}
                    headers: { Content-Range: "bytes ${{ steps.sent.offset }}-${{ end - 1 }}/${{ file.size }}" }
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.offset }}", length: "${{ end - steps.sent.offset }}" }
                  on:
                    # A range that is there already, or not the next.
                    - { if: "${{ response.status == 416 }}", then: resync }
                    - { if: "${{ response.status in [404, 410] }}", expired: look }
                    - *full
                  outputs: { offset: "${{ end }}" }
              next: { offset: "${{ steps.send.offset }}" }
            on: [{ if: "${{ response.status in [404, 410] }}", expired: look }]
        on_abandon:
          - request: { method: DELETE, url: "${{ steps.open.url }}" }

    """##
}

// Generated from Pipelines/catalogue/google-photos.yaml by `make generated`.
extension PipelineTemplate {
  static let googlePhotosText = ##"""
    # Google Photos, Library API (https://developers.google.com/photos/library/guides/upload-media and …/resumable-uploads): the bytes of a
    # file become an upload token, and up to 50 tokens become media items with one request.
    #
    #   pipeline run google-photos.yaml --input client=ID --input secret=@SECRET --input refresh_token=@TOKEN --input files='Pictures/*.jpg'
    #
    # Items must be made by one request at a time for each user. Two that overlap are refused with 429, and repeated.
    pipeline: google-photos
    description: Uploads photos and videos to Google Photos, goes on inside a file, and makes up to fifty items at once.

    inputs:
      server: { type: url, default: "https://photoslibrary.googleapis.com", description: Root of the API. }
      login: { type: url, default: "https://oauth2.googleapis.com/token", description: Where tokens come from. }
      client: { type: string, description: ID of the application. }
      secret: { type: secret, description: The application's secret. }
      refresh_token: { type: secret, description: "What a person obtained by signing in with the scope photoslibrary.appendonly." }
      files: { type: files, description: The photos and videos. }
      chunk_size: { type: size, default: 32 MiB, description: "The most bytes that one request sends, rounded down to what the server wants." }

    retry: { standard: { attempts: 8, backoff: { initial: 2s, max: 2m } } }

    credentials:
      # pipeline: ignore[foreign-credential] the upload URL is the server's own, and wants the token
      google: { oauth2: { token_url: "${{ inputs.login }}", client: "${{ inputs.client }}", secret: "${{ inputs.secret }}", client_in: body, refresh_token: "${{ inputs.refresh_token }}" } }

    defaults: { url: "${{ inputs.server }}", credentials: google }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 4
        steps:
          # An upload whose response is lost holds nothing.
          - id: start
            let: { unit: '${{ int(header(response.headers, "x-goog-upload-chunk-granularity").orValue("1")) }}' }
            request:
              method: POST
              url: /v1/uploads
              headers:
                { X-Goog-Upload-Command: start, X-Goog-Upload-Protocol: resumable, X-Goog-Upload-Content-Type: "${{ file.content_type }}", X-Goog-Upload-Raw-Size: "${{ string(file.size) }}" }
              example: { headers: { X-Goog-Upload-URL: "https://photos.test/u/${{ request.number }}", X-Goog-Upload-Chunk-Granularity: "262144" } }
            effect: repeatable
            outputs:
              url: { value: "${{ response.headers['x-goog-upload-url'] }}", secret: sealed }
              # Pieces are multiples of what the server says, except for the last.
              piece: '${{ math.greatest(inputs.chunk_size / unit, 1) * unit }}'

          # All pieces but the last: that one makes the token.
          - id: sent
            repeat:
              from: { offset: 0 }
              until: ${{ file.size - steps.sent.offset <= steps.start.piece }}
              resync:
                request: { method: POST, url: "${{ steps.start.url }}", credentials: google, headers: { X-Goog-Upload-Command: query } }
                next: { offset: "${{ int(response.headers['x-goog-upload-size-received']) }}" }
              steps:
                - id: send
                  upload:
                    method: POST
                    url: ${{ steps.start.url }}
                    credentials: google
                    headers: { X-Goog-Upload-Command: upload, X-Goog-Upload-Offset: "${{ string(steps.sent.offset) }}" }
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.offset }}", length: "${{ steps.start.piece }}" }
                  effect: repeatable
                  on:
                    - { if: "${{ response.status == 400 && header(response.headers, 'x-goog-upload-status').orValue('') == 'active' }}", then: resync }
                    - { if: "${{ response.status in [400, 404, 410] }}", expired: start }
                  outputs: { offset: "${{ steps.sent.offset + steps.start.piece }}" }
              next: { offset: "${{ steps.send.offset }}" }
            on:
              # `final`: the last response was lost, and with it the token.
              - { if: "${{ response.status in [400, 404, 410] || header(response.headers, 'x-goog-upload-status').orValue('active') == 'final' }}", expired: start }

          # The body of the response is the token, as plain text. It lives for a day.
          - id: finish
            upload:
              method: POST
              url: ${{ steps.start.url }}
              credentials: google
              headers: { X-Goog-Upload-Command: "upload, finalize", X-Goog-Upload-Offset: "${{ string(steps.sent.offset) }}" }
              file: ${{ file }}
              range: { offset: "${{ steps.sent.offset }}", length: "${{ file.size - steps.sent.offset }}" }
              example: { text: "token-${{ request.number }}" }
            effect: repeatable
            on:
              - { if: "${{ response.status == 400 && header(response.headers, 'x-goog-upload-status').orValue('') == 'active' }}", expired: sent }
              - { if: "${{ response.status in [400, 404, 410] }}", expired: start }
            outputs: { token: { value: "${{ response.text }}", secret: sealed, expires: { in: 1d, skew: 10m } } }

          - id: create
            batch: { items: 50, within: 10s, entry: { simpleMediaItem: { uploadToken: "${{ steps.finish.token }}", fileName: "${{ file.name }}" } } }
            request:
              method: POST
              url: /v1/mediaItems:batchCreate
              json: { newMediaItems: "${{ batch.entries }}" }
              example: { json: { newMediaItemResults: "${{ batch.entries.map(one, {'uploadToken': one.simpleMediaItem.uploadToken, 'status': {'message': 'Success'}, 'mediaItem': {'id': 'm'}}) }}" } }
            effect: repeatable
            results:
              each: ${{ response.json.newMediaItemResults.filter(one, one.uploadToken == batch.entry.simpleMediaItem.uploadToken)[0] }}
              on:
                - { if: "${{ has(batch.result.mediaItem) }}", then: success }
                # 3: the token is not valid any more. 8, 10, 13 and 14: the server is busy or has failed.
                - { if: "${{ batch.result.status.?code.orValue(0) == 3 && batch.result.status.message.contains('token') }}", expired: start }
                - { if: "${{ batch.result.status.?code.orValue(0) in [8, 10, 13, 14] }}", then: retry }
                - { then: fail, message: "Google Photos says ${{ batch.result.status.message }}" }

    """##
}

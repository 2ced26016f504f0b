// Generated from Pipelines/catalogue/youtube.yaml by `make generated`.
extension PipelineTemplate {
  static let youtubeText = ##"""
    # YouTube (https://developers.google.com/youtube/v3/guides/using_resumable_upload_protocol): a session takes the bytes of a video in
    # pieces of whole 256 KiB, goes on where the server says, and the video is then processed.
    #
    #   pipeline run youtube.yaml --input client=ID --input secret=@SECRET --input refresh_token=@TOKEN --input files='Videos/*'
    #
    # A session that has ended answers 404, as clients of Google's resumable uploads have it; the page could not be checked for this. How long
    # it lives is not documented; Google Cloud Storage, which speaks the same protocol, gives it a week.
    pipeline: youtube
    description: Uploads videos to YouTube, goes on inside a file where the server says, and waits until they are processed.

    inputs:
      server: { type: url, default: "https://www.googleapis.com", description: Root of the API. }
      login: { type: url, default: "https://oauth2.googleapis.com/token", description: Where tokens come from. }
      client: { type: string, description: ID of the application. }
      secret: { type: secret, description: The application's secret. }
      refresh_token: { type: secret, description: "What a person obtained by signing in with the scope youtube.upload." }
      privacy: { type: string, default: private, description: "private, unlisted or public." }
      files: { type: files, description: "The videos; each has the name of its file as its title." }
      chunk_size: { type: size, default: 32 MiB, description: "The most bytes that one request sends, a multiple of 256 KiB." }

    retry: { standard: { attempts: 6, backoff: { initial: 1s, max: 1m } } }

    credentials:
      google: { oauth2: { token_url: "${{ inputs.login }}", client: "${{ inputs.client }}", secret: "${{ inputs.secret }}", client_in: body, refresh_token: "${{ inputs.refresh_token }}" } }

    defaults: { url: "${{ inputs.server }}", credentials: google }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          # A session whose response is lost makes no video.
          - id: begin
            request:
              method: POST
              url: /upload/youtube/v3/videos
              query: { uploadType: resumable, part: "snippet,status" }
              headers: { X-Upload-Content-Length: "${{ string(file.size) }}", X-Upload-Content-Type: "${{ file.content_type }}" }
              json: { snippet: { title: "${{ file.name }}" }, status: { privacyStatus: "${{ inputs.privacy }}" } }
            effect: repeatable
            on:
              # The quota of a day begins again at midnight, Pacific time.
              - { if: "${{ response.status == 403 && response.text.contains('quotaExceeded') }}", then: poll, after: 1h, message: "today's quota is used up" }
              - { if: "${{ response.status == 400 && response.text.contains('uploadLimitExceeded') }}", then: pause, message: "the channel may upload no more videos today; `pipeline retry` tomorrow" }
            outputs:
              # Anyone who knows the URL may write there until the session ends.
              session: { value: "${{ response.headers.location }}", secret: sealed, expires: { in: 7d, skew: 1h } }

          - id: sent
            repeat:
              from: { offset: 0, video: "" }
              until: ${{ steps.sent.video != "" }}
              resync:
                request:
                  method: PUT
                  url: ${{ steps.begin.session }}
                  headers: { Content-Range: "bytes */${{ file.size }}" }
                # `Range: bytes=0-524287`; none if the server has nothing. The last response is the video.
                next: &answer
                  offset: '${{ int(capture(header(response.headers, "range").orValue(""), "-([0-9]+)$").orValue("-1")) + 1 }}'
                  video: '${{ response.status == 308 ? "" : response.json.id }}'
              steps:
                - id: send
                  let: { end: "${{ math.least(steps.sent.offset + inputs.chunk_size, file.size) }}" }
                  upload:
                    method: PUT
                    url: ${{ steps.begin.session }}
                    headers: { Content-Range: "bytes ${{ steps.sent.offset }}-${{ end - 1 }}/${{ file.size }}" }
                    file: ${{ file }}
                    range: { offset: "${{ steps.sent.offset }}", length: "${{ end - steps.sent.offset }}" }
                  on: &progress
                    - { if: "${{ response.status in [200, 201, 308] }}", then: success }
                    # With the last piece under way, the video may be there: a second one is worse than a question to a person.
                    - { if: "${{ response.status in [404, 410] && steps.sent.offset + inputs.chunk_size >= file.size }}", then: fail, message: "the session ended with the last piece; if the video is not there, `pipeline retry`" }
                    - { if: "${{ response.status in [404, 410] }}", expired: begin }
                  outputs: *answer
              next: { offset: "${{ steps.send.offset }}", video: "${{ steps.send.video }}" }
            on: *progress

          - id: processed
            poll:
              url: /youtube/v3/videos
              query: { part: "status,processingDetails", id: "${{ steps.sent.video }}" }
              every: 20s
              deadline: 1d
              until: ${{ response.json.items[0].status.uploadStatus == "processed" }}
            on:
              - if: ${{ response.status == 200 && response.json.items[0].status.uploadStatus in ["failed", "rejected", "deleted"] }}
                then: fail
                message: ${{ response.json.items[0].status.?rejectionReason.or(response.json.items[0].status.?failureReason).orValue("the video was deleted") }}
        on_abandon:
          # A session that is cancelled answers 499.
          - request: { method: DELETE, url: "${{ steps.begin.session }}" }

    """##
}

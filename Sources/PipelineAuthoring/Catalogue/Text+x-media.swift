// Generated from Pipelines/catalogue/x-media.yaml by `make generated`.
extension PipelineTemplate {
  static let xMediaText = ##"""
    # X, media upload 2 (https://docs.x.com/x-api/media/quickstart/media-upload-chunked): a file is sent in numbered segments, put
    # together, and processed. What is ready is named in a post, within the time that X grants.
    #
    #   pipeline run x-media.yaml --input client=CLIENT_ID --input refresh_token=@REFRESH_TOKEN --input files='Videos/*'
    pipeline: x-media
    description: Uploads pictures and videos to X in segments, and waits until they can be posted.

    inputs:
      server: { type: url, default: "https://api.x.com", description: Root of the API. }
      client: { type: string, description: ID of the app. }
      refresh_token: { type: secret, description: "The user's refresh token, with the scopes media.write and offline.access. X gives a new one for each." }
      files: { type: files, description: "The files to upload, at most 5 GB each." }

    # Segments are forms, and wait on disk.
    budgets: { disk: 64 MiB }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    credentials:
      user: { oauth2: { token_url: "${{ inputs.server }}/2/oauth2/token", client: "${{ inputs.client }}", client_in: body, refresh_token: "${{ inputs.refresh_token }}" } }

    defaults:
      url: ${{ inputs.server }}/2/media
      credentials: user

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          # What is begun and not finished ends by itself: there is no request that ends it. Uploaded media that no post names ends
          # too, after the same time: 1,295,999 s or 3,599 s, as X says.
          - id: init
            request:
              method: POST
              url: /upload/initialize
              json:
                media_type: ${{ file.content_type }}
                media_category: '${{ file.content_type.startsWith("video/") ? "tweet_video" : file.content_type == "image/gif" ? "tweet_gif" : "tweet_image" }}'
                total_bytes: ${{ file.size }}
              example: { json: { data: { id: "${{ request.number }}", expires_after_secs: 1295999 } } }
            effect: repeatable
            on:
              # X says when the quarter of an hour ends, in seconds since 1970.
              - if: ${{ response.status == 429 && "x-rate-limit-reset" in response.headers }}
                then: poll
                after: ${{ timestamp(int(response.headers["x-rate-limit-reset"])) - now }}
            outputs:
              id: { value: "${{ response.json.data.id }}", expires: { in: "${{ seconds(response.json.data.expires_after_secs) }}" } }

          - id: segments
            for_each: segment
            # At most 5 MB, numbered from 0 to 999.
            in: '${{ parts(file.size, {"size": 5 * MB, "max_count": 1000}) }}'
            concurrency: 3
            steps:
              - id: body
                materialize:
                  multipart:
                    - { name: segment_index, text: "${{ segment.index }}" }
                    - { name: media, file: "${{ file }}", range: { offset: "${{ segment.offset }}", length: "${{ segment.length }}" }, filename: segment }
              # A segment that is sent again replaces itself.
              - id: append
                upload: { method: POST, url: "/upload/${{ steps.init.id }}/append", file: "${{ steps.body.file }}" }
                on: &gone
                  - { if: "${{ response.status == 404 || response.status == 400 && response.text.matches('(?i)expired|not found') }}", expired: init }
                  - if: ${{ response.status == 429 && "x-rate-limit-reset" in response.headers }}
                    then: poll
                    after: ${{ timestamp(int(response.headers["x-rate-limit-reset"])) - now }}

          - id: finalize
            request:
              method: POST
              url: /upload/${{ steps.init.id }}/finalize
              example: { json: { data: { id: "1", processing_info: { state: pending, check_after_secs: 1 } } } }
            effect: repeatable
            depends_on: [segments]
            on: *gone
            outputs: { is_ready: "${{ !has(response.json.data.processing_info) || response.json.data.processing_info.state == 'succeeded' }}" }

          - id: ready
            if: ${{ !steps.finalize.is_ready }}
            poll:
              url: /upload
              query: { command: STATUS, media_id: "${{ steps.init.id }}" }
              until: ${{ response.json.data.processing_info.state == "succeeded" }}
              every: ${{ seconds(response.json.data.processing_info.check_after_secs) }}
              deadline: 1h
              example: { json: { data: { processing_info: { state: succeeded, check_after_secs: 1 } } } }
            depends_on: [finalize]
            on:
              - { if: "${{ response.status == 404 || response.status == 400 && response.text.matches('(?i)expired|not found') }}", expired: init }
              - { if: "${{ response.json.data.processing_info.state == 'failed' }}", then: fail, message: "${{ response.json.data.processing_info.error.message }}" }

    """##
}

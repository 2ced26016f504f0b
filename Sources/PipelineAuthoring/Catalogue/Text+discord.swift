// Generated from Pipelines/catalogue/discord.yaml by `make generated`.
extension PipelineTemplate {
  static let discordText = ##"""
    # Discord, cloud uploads: an attachment gets a URL of its own, its bytes go there without a token, and a message names it. The message
    # and its nonce are documented (https://discord.com/developers/docs/resources/message#create-message); the request for URLs is not, but
    # for people who read the client (https://docs.discord.food/topics/cloud-uploads).
    #
    #   pipeline run discord.yaml --input channel=1234567890 --input token=@BOT_TOKEN --input files='Pictures/*'
    pipeline: discord
    description: Posts files in a Discord channel, each in a message, within the limits of the API.

    inputs:
      server: { type: url, default: "https://discord.com/api/v10", description: Root of the API. }
      channel: { type: string, description: ID of the channel. }
      token: { type: secret, description: "The bot's token; it may send messages and attach files." }
      text: { type: string, default: "", description: The text of each message. }
      files: { type: files, description: "The files, as large as the server allows: 10 MiB, or more with boosts." }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    credentials:
      bot: { header: { Authorization: "Bot ${{ inputs.token }}" } }

    defaults:
      url: ${{ inputs.server }}/channels/${{ inputs.channel }}
      credentials: bot
      headers: { User-Agent: "DiscordBot (https://example.com, 1)" }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          # An upload that no message names is removed by Discord. There is a request that removes it at once, as below.
          - id: begin
            request:
              method: POST
              url: /attachments
              json: { files: [{ id: "0", filename: "${{ file.name }}", file_size: "${{ file.size }}" }] }
              example: { json: { attachments: [{ id: 0, upload_url: "https://up.test/${{ item.index }}/${{ request.number }}", upload_filename: "${{ item.index }}-${{ request.number }}/a" }] } }
            effect: repeatable
            on:
              # The API says to a thousandth of a second how long to wait; the limit of a channel and that of the bot differ.
              - { if: "${{ response.status == 429 }}", then: poll, after: "${{ seconds(response.json.retry_after) }}" }
            outputs:
              # A day, as far as is known; no page says so. Anyone who has it may write there.
              url: { value: "${{ response.json.attachments[0].upload_url }}", secret: sealed, expires: { in: 1d, skew: 5m } }
              name: ${{ response.json.attachments[0].upload_filename }}

          - id: send
            upload: { method: PUT, url: "${{ steps.begin.url }}", file: "${{ file }}" }
            on: [{ if: "${{ response.status in [400, 403, 404, 410] }}", expired: begin }]

          - id: post
            request:
              method: POST
              url: /messages
              json: { content: "${{ inputs.text }}", attachments: [{ id: "0", filename: "${{ file.name }}", uploaded_filename: "${{ steps.begin.name }}" }], enforce_nonce: true }
              example: { json: { id: "m${{ request.number }}" } }
            depends_on: [send]
            effect: create
            # Discord knows a nonce, of at most 25 characters, for "the past few minutes": a message whose response was lost before a longer
            # break may be there twice.
            idempotency: { field: nonce, key: "${{ hex(sha256(item.key)).substring(0, 25) }}" }
            on:
              - { if: "${{ response.status == 429 }}", then: poll, after: "${{ seconds(response.json.retry_after) }}" }
              # 10015 and others: the upload is not there (any more).
              - { if: "${{ response.status == 400 && response.text.contains('uploaded_filename') }}", expired: begin, refused: true }
        on_abandon:
          - request: { method: DELETE, url: "${{ inputs.server }}/attachments/${{ urlEscape(steps.begin.name) }}", credentials: bot }

    """##
}

// Generated from Pipelines/catalogue/zenodo.yaml by `make generated`.
extension PipelineTemplate {
  static let zenodoText = ##"""
    # Zenodo, deposits (https://developers.zenodo.org): a draft is made once, all files go to its bucket, and, if wanted, it is published,
    # which gives it a DOI and cannot be undone. InvenioRDM repositories of others speak the same.
    #
    #   pipeline run zenodo.yaml --input token=@TOKEN --input title='Sounds of the sea' --input description='…' --input creator='Doe, Jane' \
    #     --input files='Recordings/*.wav'
    pipeline: zenodo
    description: Uploads files to one deposit on Zenodo, checks their checksums, and publishes it if wanted.

    inputs:
      server: { type: url, default: "https://zenodo.org/api", description: "Root of the API; https://sandbox.zenodo.org/api for a trial." }
      token: { type: secret, description: "Access token with the scopes deposit:write and deposit:actions." }
      title: { type: string, description: "The title. A draft that has it already is gone on with." }
      description: { type: string, description: "The description, in HTML." }
      creator: { type: string, description: "The creator, such as 'Doe, Jane'." }
      publish: { type: bool, description: "Whether to publish in the end. A published record gets a DOI and stays." }
      files: { type: files, description: "The files: at most 100, of 50 GB in all." }

    retry:
      standard: { attempts: 6, backoff: { initial: 2s, max: 2m } }

    defaults:
      url: ${{ inputs.server }}
      bearer: ${{ inputs.token }}

    steps:
      # A draft stays until someone removes it, so a lost response is asked about, and so is one of a run before.
      - id: look
        request:
          url: /deposit/depositions
          query: { status: draft, sort: mostrecent, size: "100" }
          example: { json: [] }
        on: &limit
          # Zenodo says when the minute, or the hour, is over, in seconds since 1970.
          - { if: "${{ response.status == 429 && 'x-ratelimit-reset' in response.headers }}", then: poll, after: "${{ timestamp(int(response.headers['x-ratelimit-reset'])) - now }}" }
        let: { found: "${{ response.json.filter(one, one.title == inputs.title && !one.submitted) }}" }
        outputs:
          id: '${{ found.size() > 0 ? string(found[0].id) : "" }}'
          bucket: '${{ found.size() > 0 ? found[0].links.bucket : "" }}'

      - id: create
        if: ${{ steps.look.id == "" }}
        request:
          method: POST
          url: /deposit/depositions
          json: { metadata: { title: "${{ inputs.title }}", upload_type: dataset, description: "${{ inputs.description }}", creators: [{ name: "${{ inputs.creator }}" }] } }
          example: { status: 201, json: { id: 1234, title: "${{ inputs.title }}", submitted: false, links: { bucket: "https://zenodo.test/files/b" } } }
        effect: create
        probe:
          request: { url: /deposit/depositions, query: { status: draft, sort: mostrecent, size: "100" } }
          took_effect: ${{ response.json.exists(one, one.title == inputs.title && !one.submitted) }}
          until: 30s
          example: { took_effect: { json: [{ id: 1234, title: "${{ inputs.title }}", submitted: false, links: { bucket: "https://zenodo.test/files/b" } }] }, no_effect: { json: [] } }
        on: *limit
        let: { made: "${{ (type(response.json) == list ? response.json : [response.json]).filter(one, one.title == inputs.title && !one.submitted)[0] }}" }
        outputs: { id: "${{ string(made.id) }}", bucket: "${{ made.links.bucket }}" }

      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 2
        steps:
          - id: sum
            digest: { file: "${{ file }}", take: [md5] }

          # A file that is sent again replaces itself. It is sent whole: Zenodo keeps no part of one.
          - id: put
            upload:
              url: '${{ (has(steps.create.bucket) ? steps.create.bucket : steps.look.bucket) + "/" + urlEscape(file.name) }}'
              bearer: ${{ inputs.token }}
              file: ${{ file }}
              example: { status: 201, json: { key: "${{ file.name }}", checksum: "md5:${{ steps.sum.md5.hex }}" } }
            on:
              - { if: "${{ response.status in [200, 201] && response.json.checksum != 'md5:' + steps.sum.md5.hex }}", then: retry, message: other bytes arrived than those of the file }
              - { if: "${{ response.status in [200, 201] }}", then: success }
              - { if: "${{ response.status == 429 && 'x-ratelimit-reset' in response.headers }}", then: poll, after: "${{ timestamp(int(response.headers['x-ratelimit-reset'])) - now }}" }
              # Someone published or removed the draft.
              - { if: "${{ response.status in [403, 404, 410] }}", then: fail, message: "the draft takes no files any more: ${{ response.text }}" }

      # Only when all files are there.
      - id: publish
        if: ${{ inputs.publish }}
        request: { method: POST, url: '/deposit/depositions/${{ has(steps.create.id) ? steps.create.id : steps.look.id }}/actions/publish' }
        effect: create
        probe:
          request: { url: '/deposit/depositions/${{ has(steps.create.id) ? steps.create.id : steps.look.id }}' }
          took_effect: ${{ response.json.submitted }}
          until: 1m
        on: *limit

    """##
}

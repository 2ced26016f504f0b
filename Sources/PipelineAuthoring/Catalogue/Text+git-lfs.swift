// Generated from Pipelines/catalogue/git-lfs.yaml by `make generated`.
extension PipelineTemplate {
  static let gitLfsText = ##"""
    # Git LFS (https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md): one request asks for many objects; each is then put where
    # the server says, with the headers that it gives, and what it has is not sent.
    # Proven against giftless 0.6, read back by git-lfs.
    #
    #   pipeline run git-lfs.yaml --input server=https://git.example.com/team/films.git/info/lfs --input files='Videos/*'
    pipeline: git-lfs
    description: Uploads files to a Git LFS server as objects, and skips those that it has.

    inputs:
      server: { type: url, description: "The LFS endpoint, without /objects/batch." }
      user: { type: string, required: false }
      password: { type: secret, required: false }
      files: { type: files, description: "The files to upload; each becomes an object, named by its digest." }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 8
        steps:
          - id: sum
            digest: { file: "${{ file }}", take: [sha256] }

          - id: ask
            batch:
              items: 100
              within: 2s
              entry: { oid: "${{ steps.sum.sha256.hex }}", size: "${{ file.size }}" }
            request:
              method: POST
              url: ${{ inputs.server }}/objects/batch
              basic: { user: "${{ inputs.user }}", password: "${{ inputs.password }}" }
              headers: &media { Accept: application/vnd.git-lfs+json, Content-Type: application/vnd.git-lfs+json }
              json: { operation: upload, transfers: [basic], hash_algo: sha256, objects: "${{ batch.entries }}" }
              example:
                json:
                  objects: "${{ batch.entries.map(one, {'oid': one.oid, 'size': one.size, 'actions': {'upload': {'href': 'https://lfs.test/' + one.oid, 'expires_in': 900}, 'verify': {'href': 'https://lfs.test/verify'}}}) }}"
            results:
              each: ${{ response.json.objects.filter(one, one.oid == batch.entry.oid)[0] }}
              on:
                - { if: "${{ has(batch.result.error) }}", then: fail, message: "${{ string(batch.result.error.code) }}: ${{ batch.result.error.message }}" }
                # Nothing to do: the server has it.
                - { if: "${{ !has(batch.result.actions) || !has(batch.result.actions.upload) }}", then: finish_item }
                - { then: success }
            on: [{ if: "${{ response.status == 507 }}", then: pause, message: "the server has no space left; make some, then `pipeline retry`" }]
            effect: repeatable
            # A permission that was revoked looks like a URL that expired: the file is not sent ten times to find out.
            max_reissues: 3
            outputs:
              # Anyone who has the URL and the headers may write there.
              href:
                value: ${{ batch.result.actions.upload.href }}
                secret: true
                expires: { in: "${{ seconds(string(batch.result.actions.upload.?expires_in.orValue(86400))) }}", skew: 5s }
              headers: { value: "${{ batch.result.actions.upload.?header.orValue({}) }}", secret: true }
              verify: { value: "${{ batch.result.actions.?verify.?href.orValue('') }}", secret: true }
              verify_headers: { value: "${{ batch.result.actions.?verify.?header.orValue({}) }}", secret: true }

          - id: put
            upload:
              url: ${{ steps.ask.href }}
              headers: [{ Content-Type: application/octet-stream }, "${{ steps.ask.headers }}"]
              file: ${{ file }}
            on:
              - { if: "${{ response.status in [401, 403, 404, 410] }}", expired: ask }

          - id: verify
            if: ${{ steps.ask.verify != "" }}
            request:
              method: POST
              url: ${{ steps.ask.verify }}
              headers: [*media, "${{ steps.ask.verify_headers }}"]
              json: { oid: "${{ steps.sum.sha256.hex }}", size: "${{ file.size }}" }
            depends_on: [put]
            on:
              # 404: the object did not arrive.
              - { if: "${{ response.status in [401, 403, 404, 410] }}", expired: ask }

    """##
}

// Generated from Pipelines/catalogue/webdav.yaml by `make generated`.
extension PipelineTemplate {
  static let webdavText = ##"""
    # WebDAV (RFC 4918): files are put below a folder of the server as they lie below the folder of the glob; folders are made, and
    # what is there is left alone.
    # Proven against nginx 1.22 and rclone 1.75, read back by rclone.
    #
    #   pipeline run webdav.yaml --input server=https://dav.example.com/films --input files='Videos/**/*'
    pipeline: webdav
    description: Mirrors a folder to a WebDAV server, makes its folders, and skips the files that it has.

    inputs:
      server: { type: url, description: "The folder of the server, without a slash at the end." }
      files: { type: files, description: The files to upload. }
      user: { type: string, required: false }
      password: { type: secret, required: false }

    retry:
      standard: { attempts: 6, backoff: { initial: 1s, max: 1m } }

    credentials:
      dav: { basic: { user: "${{ inputs.user }}", password: "${{ inputs.password }}" } }

    defaults:
      url: ${{ inputs.server }}
      credentials: dav

    steps:
      - for_each: file
        in: ${{ inputs.files }}
        concurrency: 8
        steps:
          # A file of the same size that is not older is the same, as rsync sees it.
          - id: look
            request: { method: HEAD, url: "/${{ urlEscapePath(file.relative) }}" }
            on:
              - if: >-
                  ${{ response.status == 200 && header(response.headers, "content-length").orValue("") == string(file.size) &&
                  httpDate(response.headers["last-modified"]) + duration("1s") > file.modified }}
                then: finish_item
              - { if: "${{ response.status in [200, 404, 409] }}", then: success }
              - { if: "${{ response.status == 401 }}", then: fail, message: "the server refuses the user or the password (401); `pipeline retry --input user=… --input password=…`" }
            outputs:
              # The folders above the file, from the one that `server` names.
              folders: '${{ cel.bind(names, file.relative.split("/"), names.transformList(i, name, names.transformList(j, one, j < i, one + "/").join())) }}'

          # One after the other: a folder needs the one above it (409).
          - id: folders
            for_each: folder
            in: ${{ steps.look.folders }}
            concurrency: 1
            steps:
              - id: make
                request: { method: MKCOL, url: "/${{ urlEscapePath(folder) }}" }
                on:
                  # It is there.
                  - { if: "${{ response.status == 405 }}", then: success }
                  - { if: "${{ response.status == 409 }}", then: fail, message: "the folder above '${{ inputs.server }}/${{ folder }}' is not there; make it, or correct 'server'" }

          - id: put
            upload:
              method: PUT
              url: /${{ urlEscapePath(file.relative) }}
              headers: { Content-Type: "${{ file.content_type }}" }
              file: ${{ file }}
            depends_on: [folders]
            on:
              # Someone removed a folder meanwhile.
              - { if: "${{ response.status == 409 }}", expired: look }
              - { if: "${{ response.status == 507 }}", then: pause, message: "the server has no space left; make some, then `pipeline retry`" }

    """##
}

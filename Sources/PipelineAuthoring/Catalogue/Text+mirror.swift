// Generated from Pipelines/catalogue/mirror.yaml by `make generated`.
extension PipelineTemplate {
  static let mirrorText = ##"""
    # Mirrors what a manifest lists to a folder, over plain HTTP: any web server will do. The manifest is a JSON list of objects
    #
    #   { "path": "a b/c.bin", "size": 1024, "sha256": "ba78…", "url": "https://cdn.example.com/1" }
    #
    # in which `path` is where the file goes below the folder. `url` is absolute, or relative to the manifest; without one, the file is
    # at its path beside the manifest. `sha256` (hexadecimal or base64) may be missing.
    #
    # Files that are there and right are kept without a request. A file that was begun goes on where it was, if the server gives a strong
    # validator and takes ranges; otherwise it begins again.
    # Proven against nginx 1.22, lighttpd 1.4 and Python's http.server, compared byte by byte.
    #
    #   pipeline run mirror.yaml --input server=https://example.com/films/manifest.json --input target=Videos
    pipeline: mirror
    description: Downloads the files of a manifest into a folder, several at a time, and verifies them.

    inputs:
      server: { type: url, description: The URL of the manifest. }
      target: { type: folder, description: The folder to mirror to. It is made if it is missing. }

    retry:
      standard: { attempts: 8, backoff: { initial: 500ms, max: 1m } }

    steps:
      - id: manifest
        request:
          url: ${{ inputs.server }}
          max_response: 64 MiB
          response:
            schema:
              type: array
              items: { type: object, properties: { path: { type: string }, size: { type: integer }, sha256: { type: string }, url: { type: string } } }
          example: { json: [{ path: a.txt, size: 1000 }, { path: b/c.txt, size: 2000, url: "https://cdn.example.com/c" }] }
        outputs:
          files: ${{ response.json }}
          url: ${{ response.url }}

      - for_each: entry
        in: ${{ steps.manifest.files }}
        concurrency: 6
        steps:
          - id: get
            let:
              # RFC 3986: what the manifest says, relative to where it came from.
              url: '${{ resolve(steps.manifest.url, entry.?url.orValue("./" + urlEscapePath(entry.path))) }}'
            download:
              url: ${{ url }}
              size: ${{ entry.size }}
              digest: { sha256: "${{ entry.?sha256 }}" }
              save:
                folder: ${{ inputs.target }}
                name: ${{ entry.path }}
                existing: update
              request_timeout: 30s
            on:
              - { if: "${{ response.status in [404, 410] }}", then: fail, message: "the server does not have ${{ entry.path }}" }

    """##
}

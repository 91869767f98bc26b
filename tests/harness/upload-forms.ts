/**
 * The upload of one file, byte for byte as clients write it: of a text "Hello", where the client lets choose with the name `bill №1.txt` and the type `text/plain`.
 * Line breaks are those of the form.
 */
export type UploadForm = {
  readonly client: string
  /** The header as the client sends it. */
  readonly contentType: string
  readonly boundary: string
  readonly body: string
  /** The head of the file as the platform must get it. */
  readonly file: string
}

export const operations = '{"query":"mutation ($file: Upload!) { uploadFile(file: $file) { id } }","variables":{"file":null}}'
export const map = '{"0":["variables.file"]}'
const named = 'content-disposition: form-data; name="0"; filename="bill №1.txt"'
const text = 'content-type: text/plain'

type Written = {
  readonly boundary: string
  readonly contentType?: string
  /** What stands above each part, without the empty line. */
  readonly fields: (name: string, length: number) => readonly string[]
  readonly file: readonly string[]
  readonly end?: string
  readonly seen?: readonly string[]
}

function form(client: string, { boundary, contentType, fields, file, end = '\r\n', seen = [named, text] }: Written): UploadForm {
  const part = (head: readonly string[], value: string): string => `--${boundary}\r\n${head.join('\r\n')}\r\n\r\n${value}\r\n`
  const field = (name: string, value: string): string => part(fields(name, Buffer.byteLength(value)), value)
  return {
    client,
    boundary,
    contentType: contentType ?? `multipart/form-data; boundary=${boundary}`,
    body: `${field('operations', operations)}${field('map', map)}${part(file, 'Hello')}--${boundary}--${end}`,
    file: seen.join('\r\n'),
  }
}

const plain = (name: string): readonly string[] => [`Content-Disposition: form-data; name="${name}"`]
const webFile = ['Content-Disposition: form-data; name="0"; filename="bill №1.txt"', 'Content-Type: text/plain']

/** RFC 2046, 5.1.1: text around the form has no meaning. RFC 9110, 5.6.6: names have no case, and nothing need follow a semicolon. */
const inText = form('a mail program', { boundary: 'b', contentType: 'Multipart/Form-Data ; Boundary=b;', fields: plain, file: webFile })
const aroundForm = { ...inText, body: `hello\r\n${inText.body}bye` }

export const uploadForms: readonly UploadForm[] = [
  // html.spec.whatwg.org, "multipart/form-data encoding algorithm"; apollo-upload-client gives a FormData to fetch.
  form('Chrome', { boundary: '----WebKitFormBoundary7MA4YWxkTrZu0gW', fields: plain, file: webFile }),
  form('Firefox', { boundary: '----geckoformboundary6a4b1f7f0b7c0b1f0e3f5a9d8c7b6a5e', fields: plain, file: webFile }),
  form('Firefox before 2024', { boundary: '---------------------------9051914041544843365972754266', fields: plain, file: webFile }),
  // nodejs/undici, lib/web/fetch/body.js. A quote in a name is %22, a backslash is itself.
  form('undici', {
    boundary: '----formdata-undici-012345678901',
    fields: plain,
    file: [String.raw`Content-Disposition: form-data; name="0"; filename="a\b %22c%22.txt"`, 'Content-Type: application/octet-stream'],
    seen: [String.raw`content-disposition: form-data; name="0"; filename="a\\b %22c%22.txt"`, 'content-type: application/octet-stream'],
  }),
  // square/okhttp (4.x), okhttp/src/main/kotlin/okhttp3/MultipartBody.kt: a length in each part until 5.0.
  form('OkHttp', {
    boundary: '3f7c9f1e-8f0c-4a57-9f0a-0d6b7e1f2a3b',
    fields: (name, length) => [...plain(name), `Content-Length: ${length}`],
    file: [
      'Content-Disposition: form-data; name="0"; filename="bill №1.txt"',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Length: 5',
    ],
    seen: [named, 'content-type: text/plain; charset=utf-8'],
  }),
  // apollographql/apollo-kotlin, UploadsHttpBody.writeBoundaries
  form('Apollo Kotlin', {
    boundary: '9c1ad8a0-6b1c-4a8f-8a53-3c7d1d0c5f11',
    fields: (name, length) => [...plain(name), 'Content-Type: application/json', `Content-Length: ${length}`],
    file: [...webFile, 'Content-Length: 5'],
  }),
  // The same file without `fileName(...)`: its type makes it a file for the platform's reader.
  form('Apollo Kotlin, a file without a name', {
    boundary: '9c1ad8a0-6b1c-4a8f-8a53-3c7d1d0c5f11',
    fields: (name, length) => [...plain(name), 'Content-Type: application/json', `Content-Length: ${length}`],
    file: ['Content-Disposition: form-data; name="0"', 'Content-Type: application/octet-stream', 'Content-Length: 5'],
    seen: ['content-disposition: form-data; name="0"', 'content-type: application/octet-stream'],
  }),
  // urllib3/urllib3, src/urllib3/fields.py: `requests` gives a file without a type none.
  form('Python requests', {
    boundary: 'c0b7a4de0d1c4b2f8e4d8a7f3f1b2c3d',
    fields: plain,
    file: ['Content-Disposition: form-data; name="0"; filename="bill №1.txt"'],
    seen: [named],
  }),
  // The same with urllib3 before 1.25 (RFC 2231).
  form('Python requests with an old urllib3', {
    boundary: 'c0b7a4de0d1c4b2f8e4d8a7f3f1b2c3d',
    fields: plain,
    file: ['Content-Disposition: form-data; name="0"; filename*=utf-8\'\'bill%20%E2%84%961.txt'],
    seen: [`${named}; filename*=UTF-8''bill%20%E2%84%961.txt`],
  }),
  // aio-libs/aiohttp, aiohttp/formdata.py and payload.py: the type first, the name percent-encoded. gql (graphql-python/gql) sends so.
  form('aiohttp', {
    boundary: 'd41d8cd98f00b204e9800998ecf8427e',
    fields: (name) => ['Content-Type: text/plain; charset=utf-8', ...plain(name)],
    file: ['Content-Type: text/plain', 'Content-Disposition: form-data; name="0"; filename="bill%20%E2%84%961.txt"'],
    seen: ['content-disposition: form-data; name="0"; filename="bill%20%E2%84%961.txt"', text],
  }),
  // encode/httpx, httpx/_multipart.py
  form('httpx', { boundary: 'f2b5c0a1d4e3968778695a4b3c2d1e0f', fields: plain, file: webFile }),
  // curl/curl, lib/mime.c: quotes and backslashes with a backslash until 7.81, later in percent.
  form('curl', {
    boundary: '------------------------d74496d66958873e',
    fields: plain,
    file: [String.raw`Content-Disposition: form-data; name="0"; filename="a \"b\" \\c.txt"`, 'Content-Type: text/plain'],
    seen: [String.raw`content-disposition: form-data; name="0"; filename="a \"b\" \\c.txt"`, text],
  }),
  // cfug/dio, dio/lib/src/form_data.dart: the boundary itself begins with dashes.
  form('Dart dio', {
    boundary: '--dio-boundary-3788753558',
    fields: (name) => [`content-disposition: form-data; name="${name}"`],
    file: [named, text],
  }),
  // dart-lang/http, pkgs/http/lib/src/multipart_request.dart
  form('Dart http', {
    boundary: 'dart-http-boundary-Xk+_.9aB0cD-eF1gH2iJ3kL4mN5oP6qR7sT8uV9wX0yZ1aB2cD',
    fields: (name) => [
      `content-disposition: form-data; name="${name}"`,
      'content-type: text/plain; charset=utf-8',
      'content-transfer-encoding: binary',
    ],
    file: ['content-type: application/octet-stream', named],
    seen: [named, 'content-type: application/octet-stream'],
  }),
  // Alamofire/Alamofire, Source/Features/MultipartFormData.swift
  form('Alamofire', { boundary: 'alamofire.boundary.6993f2e2a60b8e82', fields: plain, file: webFile }),
  // golang/go, src/mime/multipart/writer.go
  form('Go', {
    boundary: '0e3cebf9a488d07b22444d778f6251a64579aeb70e3cebf9a488d07b2244',
    fields: plain,
    file: ['Content-Disposition: form-data; name="0"; filename="bill №1.txt"', 'Content-Type: application/octet-stream'],
    seen: [named, 'content-type: application/octet-stream'],
  }),
  // dotnet/runtime, MultipartFormDataContent.cs; the form in dotnet/corefx issue 26886.
  form('.NET', {
    boundary: '456a4835-40c9-40c2-929e-502c01ff5562',
    contentType: 'multipart/form-data; boundary="456a4835-40c9-40c2-929e-502c01ff5562"',
    fields: (name) => ['Content-Type: text/plain; charset=utf-8', `Content-Disposition: form-data; name=${name}`],
    file: [`Content-Disposition: form-data; name=0; filename="=?utf-8?B?YmlsbCDihJYxLnR4dA==?="; filename*=utf-8''bill%20%E2%84%961.txt`],
    seen: [`${named}; filename*=UTF-8''bill%20%E2%84%961.txt`],
  }),
  aroundForm,
]

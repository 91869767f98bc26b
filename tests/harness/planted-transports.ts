import { createClient } from 'graphql-ws'

type Way = { readonly name: string; readonly ask: () => Promise<string | null> }
type Asked = { readonly url: string; readonly token: string; readonly secret: string }

const query = 'query ($text: String) { leads(filter: { name: { eq: $text } }) { edges { node { id } } } }'

/** The answers to the secret by other ways than a JSON body: a web socket, an event stream and an upload; the good token and a wrong one. Null: none came. */
export async function askOtherwise({
  url,
  token,
  secret,
}: Asked): Promise<readonly { readonly way: string; readonly answer: string | null }[]> {
  const ways: readonly Way[] = [
    { name: 'a web socket', ask: () => bySocket(url, { authorization: token, secret }, secret) },
    { name: 'a web socket with a wrong token', ask: () => bySocket(url, { authorization: `Bearer ${secret}`, secret }, secret) },
    { name: 'an event stream', ask: () => byStream(url, token, secret) },
    { name: 'an upload', ask: () => byUpload(url, token, secret) },
  ]
  return Promise.all(ways.map(async ({ name, ask }) => ({ way: name, answer: await ask().catch(() => null) })))
}

/** The result, the error, or why the service closed the socket. */
async function bySocket(url: string, connectionParams: Readonly<Record<string, string>>, text: string): Promise<string | null> {
  const client = createClient({ url: `${url.replace('http', 'ws')}/graphql`, connectionParams, retryAttempts: 0 })
  try {
    return await new Promise<string | null>((resolve) => {
      let seen = ''
      const end = (more: unknown): void => resolve(`${seen} ${textOf(more)}`)
      const sink = { next: (result: unknown) => void (seen += JSON.stringify(result)), error: end, complete: () => end('') }
      client.subscribe({ query, variables: { text } }, sink)
      setTimeout(() => resolve(null), 20_000).unref()
    })
  } finally {
    await client.dispose()
  }
}

function textOf(given: unknown): string {
  if (given instanceof Error) return given.message
  // The event with which a socket closes has its members on its prototype.
  const reason = typeof given === 'object' && given !== null && 'reason' in given ? given.reason : given
  return JSON.stringify(reason) ?? ''
}

async function byStream(url: string, authorization: string, text: string): Promise<string> {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription ($text: ID!) { recordingProgress(callId: $text) { stage } }', variables: { text } }),
    signal: AbortSignal.timeout(20_000),
  })
  return answer.text()
}

async function byUpload(url: string, authorization: string, secret: string): Promise<string> {
  const form = new FormData()
  const upload = 'mutation ($file: Upload!) { uploadFile(file: $file) { path } }'
  form.set('operations', JSON.stringify({ query: upload, variables: { file: null, secret } }))
  form.set('map', '{"0":["variables.file"]}')
  form.set('0', new Blob([secret]), `${secret}.txt`)
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization },
    body: form,
    signal: AbortSignal.timeout(30_000),
  })
  return answer.text()
}

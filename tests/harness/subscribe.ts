/** What an answer in parts or a subscription over server-sent events brought so far, as text; `leave` closes it. */
export type Answering = { readonly status: number; readonly type: string; text: string; ended: boolean; leave(): void }
export type Subscribed = Answering

type Asked = { readonly query: string; readonly token: string }

export function subscribe(url: string, asked: Asked): Promise<Subscribed> {
  return answering(`${url}/graphql`, { ...asked, accept: 'text/event-stream' })
}

export async function answering(url: string, { query, token, accept }: Asked & { readonly accept: string }): Promise<Answering> {
  const leaving = new AbortController()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
    signal: leaving.signal,
  })
  const type = response.headers.get('content-type') ?? ''
  const stream: Answering = { status: response.status, type, text: '', ended: false, leave: () => leaving.abort() }
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) stream.text += decoder.decode(chunk, { stream: true })
  }
  void read().then(
    () => (stream.ended = true),
    () => (stream.ended = true),
  )
  return stream
}

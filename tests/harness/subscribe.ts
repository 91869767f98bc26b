/** What a subscription over server-sent events brought so far, as text; `leave` closes it. */
export type Subscribed = { readonly status: number; text: string; ended: boolean; leave(): void }

type Subscription = { readonly query: string; readonly token: string }

export async function subscribe(url: string, { query, token }: Subscription): Promise<Subscribed> {
  const leaving = new AbortController()
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
    signal: leaving.signal,
  })
  const stream: Subscribed = { status: response.status, text: '', ended: false, leave: () => leaving.abort() }
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

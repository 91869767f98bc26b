/** A subscription over server-sent events; leaves when it is disposed of. */
export type EventStream = AsyncDisposable & {
  readonly status: number
  /** What came so far. */
  text(): string
  ended(): boolean
}

export async function subscribe(url: string, { query, token }: { query: string; token: string }): Promise<EventStream> {
  const leaving = new AbortController()
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
    signal: leaving.signal,
  })
  let text = ''
  let ended = false
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
  }
  const reading = read().then(
    () => void (ended = true),
    () => void (ended = true),
  )
  return {
    status: response.status,
    text: () => text,
    ended: () => ended,
    async [Symbol.asyncDispose]() {
      leaving.abort()
      await reading
    },
  }
}

/** More than any answer: the longest is a few thousand tokens. */
const maxAnswerBytes = 8 * 1_048_576

/**
 * `fetch` for the requests to language models: an answer of more than 8 MB, unpacked, ends with an error, because the SDK collects whatever comes
 * and a few hundred kilobytes can unpack to gigabytes. Redirects are errors: they would take the key and the prompt somewhere else.
 */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const answer = await fetch(input, { ...init, redirect: 'error' })
  if (answer.body === null) return answer
  let bytes = 0
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      bytes += piece.byteLength
      if (bytes > maxAnswerBytes) controller.error(new Error('The language model gave an answer that is too large'))
      else controller.enqueue(piece)
    },
  })
  const { status, statusText, headers } = answer
  return new Response(answer.body.pipeThrough(bounded), { status, statusText, headers })
}

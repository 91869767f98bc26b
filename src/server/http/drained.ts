import type { ServerResponse } from 'node:http'

/** Resolves when a slow reader has taken what was written, or when the response is closed. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
    if (response.closed) done()
  })
}

import { type IncomingMessage, request as send, type ServerResponse } from 'node:http'

/** Sends a request on to the server behind, and its answer back. */
export function pass(request: IncomingMessage, response: ServerResponse, target: string): void {
  const { method, url, headers } = request
  const onward = send(target + (url ?? '/'), { method, headers: { ...headers, host: new URL(target).host } }, (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers)
    answered.pipe(response)
  })
  onward.on('error', () => response.destroy())
  response.on('close', () => onward.destroy())
  request.pipe(onward)
}

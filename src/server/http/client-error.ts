import type { Socket } from 'node:net'

/**
 * Answers what is no valid request, before there is a handler for it, and ends the connection. `isAnswering`: the answer would become a part of the
 * one to an earlier request of the connection, or be taken for it.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket, isAnswering: boolean): void {
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy()
  const status = clientErrors[error.code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

const clientErrors: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

import type { Server } from 'node:http'
import { StartError } from '../../kernel/start-error.ts'

/** Resolves to the port that the server listens on. Throws StartError if the machine does not allow it. */
export async function listen(server: Server, { host, port }: { host: string; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, `${host}:${port}`)))
    server.listen({ host, port, backlog: 1_024 }, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : port
}

function listenError(error: NodeJS.ErrnoException, at: string): Error {
  if (error.code === 'EADDRINUSE')
    return new StartError(`Another process uses ${at}: stop it, or set PORT to another number`, { cause: error })
  if (error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL') {
    return new StartError(`The service cannot listen on ${at} (${error.code}): set HOST and PORT to values that this machine allows`, {
      cause: error,
    })
  }
  return error
}

import type { Server } from 'node:http'
import { StartError } from '../../kernel/start-error.ts'

/** `setting`: where the address comes from, for the error. */
type Address = { readonly host: string; readonly port: number; readonly setting?: string }

/** Resolves to the port that the server listens on. Throws StartError if the machine does not allow it. */
export async function listen(server: Server, { host, port, setting }: Address): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, `${host}:${port}`, setting)))
    server.listen({ host, port, backlog: 1_024 }, resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : port
}

function listenError(error: NodeJS.ErrnoException, at: string, setting: string | undefined): Error {
  if (error.code === 'EADDRINUSE') {
    const advice = setting === undefined ? 'set PORT to another number' : `set ${setting} to another one`
    return new StartError(`Another process uses ${at}: stop it, or ${advice}`, { cause: error })
  }
  if (error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL') {
    return new StartError(
      `The service cannot listen on ${at} (${error.code}): set ${setting ?? 'HOST and PORT'} to values that this machine allows`,
      {
        cause: error,
      },
    )
  }
  return error
}

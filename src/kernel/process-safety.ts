import { existsSync } from 'node:fs'
import tls from 'node:tls'
import { StartError } from './start-error.ts'

/**
 * Every outbound connection of this thread with TLS verifies the certificate and uses version 1.2 or later. Throws StartError if the environment
 * switches the verification off. Flags of Node, such as `--tls-min-v1.0`, do not lower the version.
 */
export function requireSafeTls(environment: NodeJS.ProcessEnv): void {
  if (environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    throw new StartError(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 would accept every certificate, so anybody on the way could read passwords and calls. Remove it; for an authority of your own set NODE_EXTRA_CA_CERTS=/path/ca.pem.',
    )
  }
  if (tls.DEFAULT_MIN_VERSION !== 'TLSv1.3') tls.DEFAULT_MIN_VERSION = 'TLSv1.2'
}

/** What weakens this process; a sentence each, for the operator. */
export function processWarnings(): readonly string[] {
  // In a container, root has few rights of the host; the image has a user of its own nevertheless.
  const isContainer = existsSync('/.dockerenv') || existsSync('/run/.containerenv')
  return process.getuid?.() === 0 && !isContainer ? ['the service runs as root: run it as a user of its own'] : []
}

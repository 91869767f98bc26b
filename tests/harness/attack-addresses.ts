import type { Resolve } from '../../src/kernel/address-guard.ts'

/** Loopback, private, link-local, metadata and other special addresses, as attackers write them. */
const literalHosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0x7f.1',
  '0177.0.0.1',
  '0177.1',
  '017700000001',
  '00000177.0.0.1',
  '0',
  '0.0.0.0',
  '0.0.0.1',
  '10.0.0.1',
  '10.255.255.255',
  '167772161',
  '0xa000001',
  '012.0.0.1',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '192.168.1.1',
  '3232235777',
  '0xc0a80101',
  '169.254.169.254',
  '169.254.170.2',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.250',
  '240.0.0.1',
  '255.255.255.255',
  '①②⑦.⓪.⓪.①',
  '１２７.０.０.１',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:0:127.0.0.1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::a9fe:a9fe]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2002:a9fe:a9fe::]',
  '[2001:0:7f00:1::]',
  '[2001:db8::1]',
  '[100::1]',
  '[fe80::1]',
  '[febf::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00::1]',
  '[fd00:ec2::254]',
  '[fd12:3456:789a:1::1]',
  '[ff02::1]',
  '[ff05::1:3]',
  '[5f00::1]',
  '[3fff::1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'LocalHost',
  'localhost%2e',
] as const

/** Names that a hostile name server answers: inside at once, inside among others, or (`rebind`) outside first and inside after. */
const namedHosts: Readonly<Record<string, readonly string[]>> = {
  'loopback.attack.example': ['127.0.0.1'],
  'loopback6.attack.example': ['::1'],
  'mapped.attack.example': ['::ffff:127.0.0.1'],
  'private.attack.example': ['10.0.0.1'],
  'metadata.attack.example': ['169.254.169.254'],
  'metadata6.attack.example': ['fd00:ec2::254'],
  'shared.attack.example': ['100.100.100.200'],
  'unspecified.attack.example': ['0.0.0.0'],
  'nat64.attack.example': ['64:ff9b::7f00:1'],
  'mixed.attack.example': ['93.184.215.14', '127.0.0.1'],
  'mixed6.attack.example': ['2606:4700::1111', '::1'],
  'nobody.attack.example': [],
}
const rebindingHosts = ['rebind-1.attack.example', 'rebind-2.attack.example', 'rebind-3.attack.example', 'rebind-4.attack.example']

export type Attacks = { readonly addresses: readonly string[]; readonly resolve: Resolve }

/**
 * Addresses that lead, or try to lead, to a canary on this port of this machine. `redirector`: the origin of a server that may be asked and
 * sends on to where `?to=` says.
 */
export function attackAddresses(canaryPort: number, redirector: string): Attacks {
  const at = (host: string): string => `http://${host}:${canaryPort}/recording.wav`
  const sentOn = (to: string): string => `${redirector}/?to=${encodeURIComponent(to)}`
  const addresses = [
    ...literalHosts.map(at),
    ...Object.keys(namedHosts).map(at),
    ...rebindingHosts.map(at),
    ...['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost', 'loopback.attack.example', 'rebind-5.attack.example', '2130706433'].map(
      (host) => sentOn(at(host)),
    ),
    sentOn(sentOn(at('127.0.0.1'))),
    sentOn(`//127.0.0.1:${canaryPort}/`),
    sentOn(`https://127.0.0.1:${canaryPort}/`),
    sentOn(`file:///etc/passwd`),
    `https://127.0.0.1:${canaryPort}/recording.wav`,
    `http://user:secret@127.0.0.1:${canaryPort}/recording.wav`,
    `http://recordings.example@127.0.0.1:${canaryPort}/recording.wav`,
    `http://127.0.0.1:${canaryPort}#@recordings.example/`,
    `http://127.0.0.1:${canaryPort}\\@recordings.example/`,
    `http:/\\127.0.0.1:${canaryPort}/recording.wav`,
    `http://127.0.0.1:${canaryPort}%2f.recordings.example/`,
    `ftp://127.0.0.1:${canaryPort}/recording.wav`,
    `gopher://127.0.0.1:${canaryPort}/_GET`,
    'file:///etc/passwd',
    'data:audio/wav;base64,UklGRg==',
  ]
  return { addresses, resolve: createHostileResolver() }
}

function createHostileResolver(): Resolve {
  const asked = new Map<string, number>()
  return async (host) => {
    const name = host.toLowerCase().replace(/\.$/, '')
    if (name === 'localhost') return [toAddress('127.0.0.1')]
    const known = namedHosts[name]
    if (known) return known.map(toAddress)
    if (!name.startsWith('rebind')) throw Object.assign(new Error(`no such host: ${host}`), { code: 'ENOTFOUND' })
    const times = (asked.get(name) ?? 0) + 1
    asked.set(name, times)
    return [toAddress(times % 2 === 1 ? '93.184.215.14' : '127.0.0.1')]
  }
}

function toAddress(address: string): { address: string; family: number } {
  return { address, family: address.includes(':') ? 6 : 4 }
}

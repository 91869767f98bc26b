import ipaddr from 'ipaddr.js'

/** What counts as one client: an IPv4 address, or an IPv6 network (/64), because one household or server has all of its addresses. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? parsed.toByteArray().slice(0, 8).join('.') : parsed.toString()
}

import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../harness/free-port.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { waitFor } from '../../harness/wait-for.ts'

/** Debian's Kamailio and rtpengine: registrar with digest authentication over WebSocket on loopback, all sound through rtpengine. */
export type PhoneServer = AsyncDisposable & {
  readonly port: number
  /** The process is killed: all registrations and connections are gone. */
  kill(): Promise<void>
  start(): Promise<void>
}

const modulePath = '/usr/lib/x86_64-linux-gnu/kamailio/modules/'
const modules = [
  'kex',
  'tm',
  'sl',
  'rr',
  'pv',
  'maxfwd',
  'textops',
  'siputils',
  'sanity',
  'usrloc',
  'registrar',
  'auth',
  'xhttp',
  'websocket',
]

/** Passwords are `sandbox-sip-` and the user. */
export async function startPhoneServer(): Promise<PhoneServer> {
  await using starting = new AsyncDisposableStack()
  const { path } = starting.use(await createTempDir())
  const [port, control] = [await freePort(), await freePort()]
  const config = join(path, 'kamailio.cfg')
  await writeFile(config, configuration(port, control))
  const media = ['--table=-1', `--interface=${ownAddress()}`, `--listen-ng=127.0.0.1:${control}`, '--foreground', '--log-stderr']
  const engine = run('/usr/bin/rtpengine', [...media, '-m', '30000', '-M', '30200', '--log-level=2'])
  starting.defer(() => end(engine))
  await waitForEngine(control)
  let server: ChildProcess | null = null
  const kill = async (): Promise<void> => {
    if (server) await end(server)
    server = null
  }
  const start = async (): Promise<void> => {
    server = run('/usr/sbin/kamailio', ['-f', config, '-DD', '-E', '-m', '32', '-M', '8', '-Y', path, '-P', join(path, 'pid'), '-w', path])
    await waitFor(() => isOpen(port), { deadlineMs: 20_000, what: 'Kamailio' })
  }
  starting.defer(kill)
  await start()
  const running = starting.move()
  return { port, kill, start, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

function run(program: string, parameters: readonly string[]): ChildProcess {
  // A group of its own: Kamailio's workers end with it.
  return spawn(program, parameters, { stdio: ['ignore', 'ignore', process.env['PHONE_LOG'] ? 'inherit' : 'ignore'], detached: true })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const closed = once(child, 'exit')
  process.kill(-child.pid, 'SIGKILL')
  await closed
}

/** Kamailio asks it once at its start, and then not for a minute. */
async function waitForEngine(port: number): Promise<void> {
  const socket = createSocket('udp4')
  let hasAnswered = false
  socket.on('message', () => (hasAnswered = true))
  await waitFor(
    () => {
      socket.send('1 d7:command4:pinge', port, '127.0.0.1')
      return hasAnswered
    },
    { deadlineMs: 20_000, what: 'rtpengine' },
  )
  socket.close()
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isReached = await Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)]).catch(
    () => false,
  )
  socket.destroy()
  return isReached
}

/** Browsers send no sound to loopback. */
function ownAddress(): string {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  return own.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1'
}

function configuration(port: number, control: number): string {
  return `#!KAMAILIO
debug=1
log_stderror=yes
children=1
tcp_children=2
tcp_accept_no_cl=yes
auto_aliases=no
alias="127.0.0.1"
listen=tcp:127.0.0.1:${port}
mpath="${modulePath}"
${[...modules, 'nathelper', 'rtpengine'].map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("nathelper|registrar", "received_avp", "$avp(RECEIVED)")
modparam("usrloc", "handle_lost_tcp", 1)
modparam("rtpengine", "rtpengine_sock", "udp:127.0.0.1:${control}")
event_route[xhttp:request] {
  if ($hdr(Upgrade) =~ "websocket" && ws_handle_handshake()) exit;
  xhttp_reply("404", "Not Found", "", "");
}
request_route {
  if (!mf_process_maxfwd_header("10") || !sanity_check()) exit;
  if (nat_uac_test("64")) {
    force_rport();
    if (is_method("REGISTER")) fix_nated_register();
    else add_contact_alias();
  }
  if (is_method("REGISTER")) {
    if (!pv_auth_check("$fd", "sandbox-sip-$fU", "0", "1")) { auth_challenge("$fd", "1"); exit; }
    save("location", "0x04");
    exit;
  }
  if (has_totag()) {
    if (!loose_route() && !is_method("ACK")) { sl_send_reply("404", "Not Here"); exit; }
    handle_ruri_alias();
    if (is_method("BYE")) rtpengine_delete();
    if (has_body("application/sdp")) rtpengine_offer("replace-origin ICE=force RTP/SAVPF rtcp-mux-require SDES-off");
    t_on_reply("ANSWER");
    t_relay();
    exit;
  }
  if (is_method("CANCEL")) { if (t_check_trans()) t_relay(); exit; }
  if (!is_method("INVITE")) { sl_send_reply("405", "Method Not Allowed"); exit; }
  if (!pv_proxy_authenticate("$fd", "sandbox-sip-$fU", "0")) { proxy_challenge("$fd", "1"); exit; }
  consume_credentials();
  record_route();
  if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
  rtpengine_offer("replace-origin ICE=force RTP/SAVPF rtcp-mux-require SDES-off");
  t_on_reply("ANSWER");
  t_relay();
}
onreply_route[ANSWER] {
  if (nat_uac_test("64")) add_contact_alias();
  if (has_body("application/sdp")) rtpengine_answer("replace-origin ICE=force RTP/SAVPF rtcp-mux-require SDES-off");
}
`
}

const descriptions: Readonly<Record<string, string>> = {
  agents: 'The state of the signed-in agent at the telephony provider.',
  alerts: 'Thresholds of the configuration that were reached.',
  audit: 'What people did in this service.',
  auth: 'Signing in and out, tokens, and the agent session.',
  calls: 'Screen pops, dialling, control of calls, dispositions, and people to call back.',
  config: 'The configuration that an admin edits at run time.',
  doctors: 'Doctors and their visit slots.',
  events: 'Events that a consumer could not process.',
  history: 'Past days: figures, call records, what an agent did.',
  recordings: 'Recordings and their analysis.',
  scorecards: "How calls were judged by the workspace's criteria, and managers' corrections.",
  leads: 'Leads of the platform, for lists that have only their IDs.',
  sessions: 'The live sessions of agents.',
  setup: 'What the platform needs before the first call.',
  supervisor: 'The day as a supervisor sees it.',
  team: 'The members of the workspace.',
  webhooks: 'What the telephony providers sent.',
  widget: "The chat widget of a hospital's website. Its paths take the widget's key instead of a token.",
}

/** `/api/calls/lookup` belongs to `calls`, `/auth/login` to `auth`. */
export function tagOf(path: string): string {
  const [, first = '', second = ''] = path.split(/[/.]/)
  return first === 'api' ? second : first
}

/** The tags of the paths, each with its description. */
export function tagsOf(paths: readonly string[]): readonly { readonly name: string; readonly description: string }[] {
  return [...new Set(paths.map(tagOf))].map((name) => ({ name, description: descriptions[name] ?? '' }))
}

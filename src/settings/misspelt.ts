import distance from 'damerau-levenshtein'
import { settingNames } from './environment.ts'

/** Prefixes that only our own settings have: any other name with such a prefix is a mistake. */
const ownPrefixes = /^(?:ALERT|PLATFORM|OZONETEL|EXOTEL|DEEPGRAM|OPENAI_COMPATIBLE|CALLBACK|RECORDING|WORKSPACES?|SEED)_/

/** One sentence for each name in the environment that is not a setting but looks like a misspelt one. */
export function misspelt(environment: NodeJS.ProcessEnv): readonly string[] {
  const unknown = Object.keys(environment).filter((name) => !settingNames.includes(name))
  return unknown.flatMap((name) => {
    const similar = similarSetting(name)
    if (similar === null && !ownPrefixes.test(name)) return []
    return [`${name} is not a setting of this service${similar === null ? '' : `; did you mean ${similar}?`}`]
  })
}

/** The setting that differs in at most two characters, or in one if it has fewer than six; null if there is none. */
function similarSetting(name: string): string | null {
  const [nearest] = settingNames.map((setting) => ({ setting, ...distance(name, setting) })).toSorted((a, b) => a.steps - b.steps)
  return nearest && nearest.steps <= (nearest.setting.length < 6 ? 1 : 2) ? nearest.setting : null
}

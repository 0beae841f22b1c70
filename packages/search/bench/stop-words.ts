/** What a fair setting of the peers leaves out: the function words of English, and what people say around a task. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but
  by can could d did do does doing don down during each few for from further had has have having he her here hers
  him his how i if in into is it its itself just know let like ll m me more most my need no nor not now of off on
  once only or other our ours out over own please re s same she should so some such t than thank thanks that the
  their theirs them then there these they this those through to too under until up us ve very want was we were what
  when where which while who whom why will with would you your yours`
    .split(/\s+/)
    .filter(Boolean),
);

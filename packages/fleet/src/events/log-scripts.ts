/** The epoch: the run of this Redis and an id that is stored with the data. It changes with a restart, a fail-over or a flush. */
const EPOCH = `
local function epochOf(stored)
  local info = redis.pcall('INFO', 'server')
  local run = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
  return string.sub(run, 1, 8) .. '.' .. stored
end
`;

/** Adds a batch. Its mark is written last, so that a batch of which a part failed is added again as a whole. */
export const ADD = `${EPOCH}
local stored = redis.call('GET', KEYS[2])
local known = redis.call('GET', KEYS[3])
if stored and known then return {epochOf(stored), known} end
local count = tonumber(ARGV[5])
if count > 0 and redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[2]) then return {'full', ''} end
if not stored then
  stored = ARGV[1]
  redis.call('SET', KEYS[2], stored)
end
local last = ''
for i = 1, count do last = redis.call('XADD', KEYS[1], '*', 'e', ARGV[5 + i]) end
local at = 6 + count
while at <= #ARGV do
  local key, kind = KEYS[tonumber(ARGV[at])], ARGV[at + 1]
  local most, items = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  at = at + 4
  if kind == 'fields' then
    for i = at, at + items * 2 - 1, 2 do
      local field = ARGV[i]
      if redis.call('HLEN', key) >= most and redis.call('HEXISTS', key, field) == 0 then field = 'more' end
      redis.call('HINCRBY', key, field, ARGV[i + 1])
    end
    at = at + items * 2
  else
    for i = at, at + items - 1 do redis.call('RPUSH', key, ARGV[i]) end
    redis.call('LTRIM', key, -most, -1)
    at = at + items
  end
  redis.call('EXPIRE', key, ARGV[4])
end
redis.call('SET', KEYS[3], last, 'EX', ARGV[3])
return {epochOf(stored), last}
`;

export const STATUS = `${EPOCH}
local stored = redis.call('GET', KEYS[2])
if not stored then return {'', ''} end
local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)
return {epochOf(stored), first[1] and first[1][1] or ''}
`;

/** Removes delivered entries at once, so that the first entry of the stream is the oldest that is not delivered. */
export const DONE = `
redis.call('XACK', KEYS[1], ARGV[1], unpack(ARGV, 2))
return redis.call('XDEL', KEYS[1], unpack(ARGV, 2))
`;

/** Claims the entries of consumers that are gone, and deletes consumers that have none. */
export const CLAIM = `
local claimed = redis.call('XAUTOCLAIM', KEYS[1], ARGV[1], ARGV[2], ARGV[3], '0-0', 'COUNT', ARGV[4])
for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local of = {}
  for i = 1, #consumer, 2 do of[consumer[i]] = consumer[i + 1] end
  if of.pending == 0 and of.name ~= ARGV[2] and of.idle > 3600000 then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], of.name)
  end
end
return claimed[2]
`;

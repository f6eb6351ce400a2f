-- The ladder of abuse_gate/deciding/ladder.py, for a server that many processes share: one call, one
-- subject, one key, so that it is atomic. Times are milliseconds of the
-- server's own clock; what lies in its future, after it has stepped back, is moved to now.
-- KEYS[1] the subject; ARGV: operation, clock ('' for the server's own), window, lock_at, lock_for,
-- quarantine_at (0: never), quarantine_for, decay, then what the operation takes.
local MOST_STRIKES, MOST_INCIDENTS, KEPT_WINDOWS = 64, 16, 2
local FREE_GROWTHS, FREE_TURNS = 3, 12
local key, op = KEYS[1], ARGV[1]
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end
local window, lock_at, lock_for = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local quarantine_at, quarantine_for = tonumber(ARGV[6]), tonumber(ARGV[7])
local decay = tonumber(ARGV[8])

local RANK = { normal = 0, execute_locked = 1, full_quarantine = 2 }
local LONGEST_KEPT = 30 * 86400 * 1000
local found = redis.pcall('HMGET', key, 's', 'lu', 'ls', 'qu', 'qs', 'lv', 'la', 'e', 'i', 'n', 'c')
if found.err then
  if not string.find(found.err, 'WRONGTYPE', 1, true) then return found end
  -- Somebody else's value where a record should be: nothing of ours is lost with it.
  redis.call('DEL', key)
  found = {}
end
local function number(value) return tonumber(value or 0) or 0 end
local known = false
for at = 1, 10 do known = known or found[at] end
local record = {
  strikes = {},
  lu = number(found[2]), ls = number(found[3]), qu = number(found[4]), qs = number(found[5]),
  lv = number(found[6]), la = number(found[7]), epoch = number(found[8]),
  incidents = found[9] or '', note = found[10] or '', changed = number(found[11]),
}
for entry in string.gmatch(found[1] or '', '[^;]+') do
  local marks = {}
  for part in string.gmatch(entry, '[^,]+') do marks[#marks + 1] = part end
  record.strikes[#record.strikes + 1] = { at = number(table.remove(marks, 1)), marks = marks }
end

local moved = false
local function back(value, bound)
  if value > bound then
    moved = true
    return bound
  end
  return value
end
for _, strike in ipairs(record.strikes) do strike.at = back(strike.at, now) end
record.lu = back(record.lu, now + record.ls)
record.qu = back(record.qu, now + record.qs)
record.la = back(record.la, now)
record.changed = back(record.changed, now)

local function term(mode, at, span)
  if mode == 'full_quarantine' then
    if at + span > record.qu then record.qu, record.qs = at + span, span end
  elseif at + span > record.lu then
    record.lu, record.ls = at + span, span
  end
end

local function note(incident)
  if incident == '' then return end
  local kept = {}
  for id in string.gmatch(record.incidents, '%S+') do
    if id == incident then return end
    kept[#kept + 1] = id
  end
  kept[#kept + 1] = incident
  while #kept > MOST_INCIDENTS do table.remove(kept, 1) end
  record.incidents = table.concat(kept, ' ')
end

-- Whether an offence is no new one: known already, or a condemned conversation that goes on, in a
-- few branches and turns at most; '+' marks the latest turn of each, once for every turn before.
local function is_excused(at, marks, prefixes)
  local seen, tips, turns, last = {}, {}, 0, nil
  for _, strike in ipairs(record.strikes) do
    if math.abs(at - strike.at) < window then
      last = strike
      for at_mark, mark in ipairs(strike.marks) do
        local plain = string.gsub(mark, '^%++', '')
        local grown = #mark - #plain
        if grown > 0 then tips[#tips + 1] = { strike.marks, at_mark, plain, grown } end
        turns = turns + grown
        seen[plain] = true
      end
    end
  end
  local fresh, before, grown = nil, {}, false
  for _, mark in ipairs(marks) do
    if not seen[mark] then fresh = mark end
  end
  if not fresh then return true end
  if turns >= FREE_TURNS then return false end
  for _, prefix in ipairs(prefixes) do
    before[prefix] = true
    grown = grown or seen[prefix]
  end
  for _, tip in ipairs(tips) do
    if before[tip[3]] then
      -- The turn before it stays known: a copy of it may arrive late.
      table.remove(tip[1], tip[2])
      table.insert(tip[1], tip[3])
      table.insert(tip[1], string.rep('+', tip[4] + 1) .. fresh)
      return true
    end
  end
  if #tips >= FREE_GROWTHS or not grown then return false end
  last.marks[#last.marks + 1] = '+' .. fresh
  return true
end

local function climb(at)
  local count = 0
  for _, strike in ipairs(record.strikes) do
    if strike.at <= at and at - strike.at < window then count = count + 1 end
  end
  if decay > 0 then count = math.max(count, math.floor(record.lv)) end
  if quarantine_at > 0 and count >= quarantine_at then
    term('full_quarantine', at, quarantine_for)
  end
  if count >= lock_at then term('execute_locked', at, lock_for) end
end

local function strike(at, marks, prefixes)
  if at < record.changed or is_excused(at, marks, prefixes) then return end
  local newest = record.strikes[#record.strikes]
  local oldest = math.max(at, newest and newest.at or at) - math.max(KEPT_WINDOWS * window, decay)
  -- Nobody could tell it from one that is known and forgotten.
  if at <= oldest then return end
  table.insert(record.strikes, { at = at, marks = marks })
  table.sort(record.strikes, function(one, other) return one.at < other.at end)
  while #record.strikes > MOST_STRIKES do table.remove(record.strikes, 1) end
  while record.strikes[1].at <= oldest do table.remove(record.strikes, 1) end
  if decay > 0 then
    local faded = math.max(0, at - record.la) / decay
    record.lv = math.max(0, record.lv - faded) + 1
    record.la = math.max(at, record.la)
  end
  climb(at)
  for _, entry in ipairs(record.strikes) do
    if entry.at > at then climb(entry.at) end
  end
end

local function clean(reason)
  record = {
    strikes = {}, lu = 0, ls = 0, qu = 0, qs = 0, lv = 0, la = 0,
    epoch = math.max(record.epoch + 1, now), incidents = record.incidents, note = reason, changed = now,
  }
end

-- An operator's word that was lost, of so long ago: what was before it is forgiven, what has come
-- since stands. One that lies in the future, because the clock has stepped back, forgives nothing.
local function remember(epoch)
  record.epoch = epoch
  if epoch > now then return end
  record.changed = math.max(record.changed, epoch)
  while record.strikes[1] and record.strikes[1].at < epoch do table.remove(record.strikes, 1) end
  if record.lu - record.ls < epoch then record.lu, record.ls = 0, 0 end
  if record.qu - record.qs < epoch then record.qu, record.qs = 0, 0 end
  record.lv = math.min(record.lv, #record.strikes)
end

local function save()
  local strikes, newest = {}, now
  for at, entry in ipairs(record.strikes) do
    strikes[at] = string.format('%.0f', entry.at) .. ',' .. table.concat(entry.marks, ',')
    newest = entry.at
  end
  redis.call('HSET', key, 's', table.concat(strikes, ';'),
    'lu', string.format('%.0f', record.lu), 'ls', string.format('%.0f', record.ls),
    'qu', string.format('%.0f', record.qu), 'qs', string.format('%.0f', record.qs),
    'lv', string.format('%.6f', record.lv), 'la', string.format('%.0f', record.la),
    'e', string.format('%.0f', record.epoch), 'i', record.incidents, 'n', record.note,
    'c', string.format('%.0f', record.changed))
  local told = record.epoch > 0 or record.incidents ~= ''
  local changed = told and quarantine_for or 0
  local keep = math.max(window, newest + KEPT_WINDOWS * window - now, record.lu - now,
    record.qu - now, record.la + record.lv * decay - now, changed,
    math.min(redis.call('PTTL', key), LONGEST_KEPT))
  redis.call('PEXPIRE', key, string.format('%.0f', keep))
end

local function standing()
  if record.qu > now then return 'full_quarantine', record.qu - now end
  if record.lu > now then return 'execute_locked', record.lu - now end
  return 'normal', 0
end
local previous = standing()

if op == 'strike' then
  -- age, incident, number of marks, marks, prefixes
  local marks, prefixes = {}, {}
  for at = 12, #ARGV do
    local list = at < 12 + tonumber(ARGV[11]) and marks or prefixes
    list[#list + 1] = ARGV[at]
  end
  strike(now - tonumber(ARGV[9]), marks, prefixes)
  note(ARGV[10])
  save()
elseif op == 'note' then
  note(ARGV[9])
  save()
elseif op == 'heal' then
  -- mode, what is left of it, epoch, for how long it has been known: what a worker still remembers,
  -- unless an operator has changed it since
  local left, epoch, age = tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12])
  if record.epoch < epoch then remember(epoch) end
  if record.epoch == epoch then
    if RANK[standing()] < RANK[ARGV[9]] then term(ARGV[9], now - age, age + left) end
    save()
  end
elseif op == 'set' then
  -- mode, span, note
  clean(ARGV[11])
  if ARGV[9] ~= 'normal' then term(ARGV[9], now, tonumber(ARGV[10])) end
  save()
elseif moved then
  save()
end

local count = 0
for _, entry in ipairs(record.strikes) do
  if now - entry.at < window then count = count + 1 end
end
local mode, left = standing()
local answer = { mode, string.format('%.0f', left), count, record.epoch }
if op == 'strike' then answer[5] = previous end
if op == 'show' then
  if not known then return {} end
  answer[5], answer[6] = record.incidents, record.note
end
return answer

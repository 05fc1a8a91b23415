# ruby rollout.rb: reads lines "appId userId percent", prints the bucket and whether the user is admitted.

# Whether a user without an explicit status is admitted.
def in_rollout?(app_id, user_id, percent)
  bucket(app_id, user_id) < (percent * 100).round
end

# From 0 to 9,999.
def bucket(app_id, user_id)
  murmur3("#{app_id}:#{user_id}".bytes) % 10_000
end

# MurmurHash3 x86 32 with seed 0.
def murmur3(bytes)
  *whole, rest = bytes.each_slice(4).to_a
  whole, rest = [*whole, rest], [] if rest && rest.length == 4
  hash = whole.reduce(0) { |value, block| (rotate(value ^ scramble(block), 13) * 5 + 0xe6546b64) & 0xffffffff }
  hash ^= scramble(rest || []) ^ bytes.length
  hash = (hash ^ hash >> 16) * 0x85ebca6b & 0xffffffff
  hash = (hash ^ hash >> 13) * 0xc2b2ae35 & 0xffffffff
  hash ^ hash >> 16
end

def scramble(block)
  word = block.each_with_index.sum { |byte, at| byte << 8 * at } * 0xcc9e2d51 & 0xffffffff
  rotate(word, 15) * 0x1b873593 & 0xffffffff
end

def rotate(word, bits)
  (word << bits | word >> 32 - bits) & 0xffffffff
end

$stdin.each_line do |line|
  app_id, user_id, percent = line.split
  puts "#{bucket(app_id, user_id)} #{in_rollout?(app_id, user_id, percent.to_f) ? 'in' : 'out'}"
end

#include "apps/invar/verbs/checkpoint_bytes.hpp"

#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace invar {
namespace {

using nlohmann::json;

/// json::binary marks a value as binary before it has the bytes: without memory for these its destructor crashes (3.11.2).
json binary(std::vector<std::uint8_t> bytes) { return json(json::binary_t(std::move(bytes))); }

// Arrays are stored as bytes in the machine's order.
json packed(const std::vector<double>& x) {
  std::vector<std::uint8_t> bytes(x.size() * sizeof(double));
  if (!x.empty()) std::memcpy(bytes.data(), x.data(), bytes.size());
  return binary(std::move(bytes));
}

std::vector<double> unpacked(const json& j) {
  const std::vector<std::uint8_t>& bytes = j.get_binary();
  std::vector<double> x(bytes.size() / sizeof(double));
  if (!x.empty()) std::memcpy(x.data(), bytes.data(), x.size() * sizeof(double));
  return x;
}

json to_json(const OptimizerResult& r) {
  return {{"shared", packed(r.theta.shared)},
          {"local", packed(r.theta.local)},
          {"numbers", packed({r.value, r.relative_gradient, r.violation})},
          {"counts", {r.iterations, r.evaluations, r.rejected}},
          {"flags", {r.feasible, r.converged, r.stopped}},
          {"reason", r.reason},
          {"last_rejection", r.last_rejection}};
}

OptimizerResult result_in(const json& j) {
  OptimizerResult r;
  r.theta = {unpacked(j.at("shared")), unpacked(j.at("local"))};
  const std::vector<double> numbers = unpacked(j.at("numbers"));
  r.value = numbers.at(0), r.relative_gradient = numbers.at(1), r.violation = numbers.at(2);
  r.iterations = j.at("counts").at(0), r.evaluations = j.at("counts").at(1), r.rejected = j.at("counts").at(2);
  r.feasible = j.at("flags").at(0), r.converged = j.at("flags").at(1), r.stopped = j.at("flags").at(2);
  r.reason = j.at("reason"), r.last_rejection = j.at("last_rejection");
  return r;
}

json to_json(const WeightTrial& t) {
  return {{"numbers", packed({t.weight, t.chi_squared, t.penalty, t.resolved_directions, t.negative_log_evidence})}, {"converged", t.converged}, {"rejected", t.rejected}};
}

WeightTrial trial_in(const json& j) {
  const std::vector<double> n = unpacked(j.at("numbers"));
  return {n.at(0), n.at(1), n.at(2), n.at(3), n.at(4), j.at("converged"), j.at("rejected")};
}

std::string bytes_of(const json& j) {
  std::string out;
  json::to_cbor(j, out);
  return out;
}

/// A file from elsewhere may nest lists so deeply that reading them would exhaust the stack.
class Shallow : public json::json_sax_t {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_ <= deepest; }
  bool start_array(std::size_t) override { return ++depth_ <= deepest; }
  bool end_object() override { return --depth_ >= 0; }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  static constexpr int deepest = 8;  // four are needed
  int depth_ = 0;
};

json from_bytes(const std::string& bytes) {
  Shallow shallow;
  if (!json::sax_parse(bytes, &shallow, json::input_format_t::cbor)) throw std::runtime_error("it is malformed");
  return json::from_cbor(bytes);
}

}  // namespace

std::string checkpoint_bytes(const Checkpoint& c) {
  json done = json::array();
  for (const OptimizerResult& r : c.done) done.push_back(to_json(r));
  json trials = json::array();
  for (const WeightTrial& t : c.trials) trials.push_back(to_json(t));
  return bytes_of(json{{"identity", c.identity},
                       {"method", c.method},
                       {"numbers", packed({c.value_at_start, c.seconds})},
                       {"iteration", c.iteration},
                       {"stage", c.stage},
                       {"before", to_json(c.before)},
                       {"done", done},
                       {"trials", trials},
                       {"weights", packed({c.first_gradient, c.tolerance})},
                       {"optimum", c.optimum ? to_json(*c.optimum) : json()},
                       {"search", c.search},
                       {"history_at_end", c.history_at_end},
                       {"memory_at_end", packed(c.memory_at_end)},
                       {"history", c.history},
                       {"optimizer", packed(c.optimizer)},
                       {"memory", packed(c.memory)}});
}

Checkpoint checkpoint_in(const std::string& bytes) try {
  const json j = from_bytes(bytes);
  Checkpoint c;
  j.at("identity").get_to(c.identity);
  j.at("method").get_to(c.method);
  const std::vector<double> numbers = unpacked(j.at("numbers"));
  c.value_at_start = numbers.at(0), c.seconds = numbers.at(1);
  j.at("iteration").get_to(c.iteration);
  j.at("stage").get_to(c.stage);
  c.before = result_in(j.at("before"));
  for (const json& r : j.at("done")) c.done.push_back(result_in(r));
  if (j.contains("trials")) {  // older checkpoints have none
    for (const json& t : j.at("trials")) c.trials.push_back(trial_in(t));
    const std::vector<double> of_weights = unpacked(j.at("weights"));
    c.first_gradient = of_weights.at(0), c.tolerance = of_weights.at(1);
  }
  if (!j.at("optimum").is_null()) c.optimum = result_in(j.at("optimum"));
  j.at("search").get_to(c.search);
  j.at("history_at_end").get_to(c.history_at_end);
  c.memory_at_end = unpacked(j.at("memory_at_end"));
  j.at("history").get_to(c.history);
  c.optimizer = unpacked(j.at("optimizer"));
  c.memory = unpacked(j.at("memory"));
  return c;
} catch (const json::exception& e) {
  throw std::runtime_error(e.what());
} catch (const std::out_of_range&) {
  throw std::runtime_error("numbers are missing");
}

std::string joined_parts(const std::vector<std::string>& parts) {
  json all = json::array();
  for (const std::string& part : parts) all.push_back(binary({part.begin(), part.end()}));
  return bytes_of(all);
}

std::vector<std::string> checkpoint_parts(const std::string& content, int ranks, std::string& complaint) {
  try {
    const json j = from_bytes(content);
    std::vector<std::string> parts;
    for (const json& part : j) parts.emplace_back(part.get_binary().begin(), part.get_binary().end());
    if (static_cast<int>(parts.size()) == ranks) return parts;
    const std::string n = std::to_string(parts.size());
    complaint = "the run was on " + n + (parts.size() == 1 ? " process" : " processes") + " and can only be continued in the same way; use " +
                (parts.size() == 1 ? std::string("no mpirun, or mpirun -n 1") : "mpirun -n " + n);
  } catch (const std::exception& e) {
    complaint = std::string("the checkpoint cannot be read: ") + e.what();
  }
  return {};
}

}  // namespace invar
